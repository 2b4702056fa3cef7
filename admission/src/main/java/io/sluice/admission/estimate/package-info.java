// SPDX-License-Identifier: Apache-2.0
/**
 * Estimates when waiting jobs will start, as ranges with a stated confidence, and corrects the
 * ranges by what came of earlier ones. It decides nothing: no admission reads an estimate.
 */
@NullMarked
package io.sluice.admission.estimate;

import org.jspecify.annotations.NullMarked;
