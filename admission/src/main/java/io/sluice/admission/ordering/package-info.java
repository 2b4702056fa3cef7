// SPDX-License-Identifier: Apache-2.0
/** Comparators for queues, heads and victims. They do not know what fits. */
@NullMarked
package io.sluice.admission.ordering;

import org.jspecify.annotations.NullMarked;
