// SPDX-License-Identifier: Apache-2.0
/**
 * Preemption: which attempts a preemptor may evict, and which it must. It evicts nothing itself.
 */
@NullMarked
package io.sluice.admission.preemption;

import org.jspecify.annotations.NullMarked;
