// SPDX-License-Identifier: Apache-2.0
/** Amounts that are used, requested or available, and trials that change totals temporarily. */
@NullMarked
package io.sluice.admission.state.usage;

import org.jspecify.annotations.NullMarked;
