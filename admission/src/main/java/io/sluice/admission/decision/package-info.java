// SPDX-License-Identifier: Apache-2.0
/**
 * How a decision is made: recorded as an event and applied to the state at once. It does not
 * choose.
 */
@NullMarked
package io.sluice.admission.decision;

import org.jspecify.annotations.NullMarked;
