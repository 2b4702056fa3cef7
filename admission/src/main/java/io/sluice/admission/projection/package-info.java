// SPDX-License-Identifier: Apache-2.0
/**
 * Projects a copy of a state into the future by running the engine in virtual time, and compares
 * projections. It records nothing.
 */
@NullMarked
package io.sluice.admission.projection;

import org.jspecify.annotations.NullMarked;
