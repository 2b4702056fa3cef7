// SPDX-License-Identifier: Apache-2.0
/** The engine's in-memory state, changed only by events. It decides nothing. */
@NullMarked
package io.sluice.admission.state;

import org.jspecify.annotations.NullMarked;
