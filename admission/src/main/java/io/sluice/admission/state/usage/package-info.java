// SPDX-License-Identifier: Apache-2.0
/** Amounts that are used, asked for and left, and the trial that takes some away for a while. */
@NullMarked
package io.sluice.admission.state.usage;

import org.jspecify.annotations.NullMarked;
