// SPDX-License-Identifier: Apache-2.0
/** The promises of ARCHITECTURE.md as checks of a state. They repair nothing. */
@NullMarked
package io.sluice.admission.invariant;

import org.jspecify.annotations.NullMarked;
