// SPDX-License-Identifier: Apache-2.0
/** The engine's memory, changed by events only. It decides nothing. */
@NullMarked
package io.sluice.admission.state;

import org.jspecify.annotations.NullMarked;
