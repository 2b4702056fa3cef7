// SPDX-License-Identifier: Apache-2.0
/**
 * Planned starts of blocked jobs: finds the earliest start, keeps it, and moves it for a named
 * reason only. The forecast and the guard of admissions are in {@code state.Plan}.
 */
@NullMarked
package io.sluice.admission.plan;

import org.jspecify.annotations.NullMarked;
