// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs, what the engine schedules of them, how they may change, and what is said about them: inputs
 * and events. It decides nothing.
 */
@NullMarked
package io.sluice.queuemodel.job;

import org.jspecify.annotations.NullMarked;
