// SPDX-License-Identifier: Apache-2.0
/** The steps of a round around its cycles: inputs, deadlines, claims, grants, growth, moves. */
@NullMarked
package io.sluice.admission.step;

import org.jspecify.annotations.NullMarked;
