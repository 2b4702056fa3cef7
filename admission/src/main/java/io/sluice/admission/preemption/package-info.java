// SPDX-License-Identifier: Apache-2.0
/** Whom a preemptor may evict, and which of them it must. It evicts nobody. */
@NullMarked
package io.sluice.admission.preemption;

import org.jspecify.annotations.NullMarked;
