// SPDX-License-Identifier: Apache-2.0
/**
 * The scheduling cycle: chooses heads, orders them, and gives each the room that it needs or
 * refuses it.
 */
@NullMarked
package io.sluice.admission.cycle;

import org.jspecify.annotations.NullMarked;
