// SPDX-License-Identifier: Apache-2.0
/** The promises as checks of a state. It repairs nothing. */
@NullMarked
package io.sluice.admission.invariant;

import org.jspecify.annotations.NullMarked;
