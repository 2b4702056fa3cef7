// SPDX-License-Identifier: Apache-2.0
/**
 * One cycle alone, as Kueue defines it: what would Kueue have decided? The conformance cases and
 * scenarios are answered by it. No round knows it; a part that a round is to do as well moves up
 * into the cycle.
 */
@NullMarked
package io.sluice.admission.cycle.isolated;

import org.jspecify.annotations.NullMarked;
