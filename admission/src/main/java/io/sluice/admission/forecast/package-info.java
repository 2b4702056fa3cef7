// SPDX-License-Identifier: Apache-2.0
/**
 * Amounts in use as functions of time. Times are microseconds since the epoch; nothing here knows
 * jobs or quota objects.
 */
@NullMarked
package io.sluice.admission.forecast;

import org.jspecify.annotations.NullMarked;
