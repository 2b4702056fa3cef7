// SPDX-License-Identifier: Apache-2.0
/** The real round in virtual time, on memory that can fail. It has no loop of its own decisions. */
@NullMarked
package io.sluice.simulator;

import org.jspecify.annotations.NullMarked;
