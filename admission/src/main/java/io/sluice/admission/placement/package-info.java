// SPDX-License-Identifier: Apache-2.0
/**
 * Places pods on hosts by the levels of a topology. It does not know quota, queues, or the slices
 * of accelerators.
 */
@NullMarked
package io.sluice.admission.placement;

import org.jspecify.annotations.NullMarked;
