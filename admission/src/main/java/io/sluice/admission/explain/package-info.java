// SPDX-License-Identifier: Apache-2.0
/**
 * Explains why a workload waits and what would let it start, as typed reasons. It decides nothing.
 */
@NullMarked
package io.sluice.admission.explain;

import org.jspecify.annotations.NullMarked;
