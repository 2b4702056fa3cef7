// SPDX-License-Identifier: Apache-2.0
/** Why a workload waits and what would cure it, as typed reasons. It decides nothing. */
@NullMarked
package io.sluice.admission.explain;

import org.jspecify.annotations.NullMarked;
