// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import io.sluice.admission.estimate.CalibrationReport;

/**
 * How good the starts were that a replay estimated at each submission.
 *
 * @param report over the jobs that waited for more than 60 s
 * @param withoutRange number of such jobs for which no range was stated
 */
public record StartAccuracy(CalibrationReport report, int withoutRange) {}
