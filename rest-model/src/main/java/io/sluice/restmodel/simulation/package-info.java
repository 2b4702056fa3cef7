// SPDX-License-Identifier: Apache-2.0
/** Simulated changes: which jobs would start when, and what would be displaced. */
@NullMarked
package io.sluice.restmodel.simulation;

import org.jspecify.annotations.NullMarked;
