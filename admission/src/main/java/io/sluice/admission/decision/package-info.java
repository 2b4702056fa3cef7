// SPDX-License-Identifier: Apache-2.0
/**
 * Records decisions: each is an event that is applied to the state at once. The package does not
 * choose what to decide.
 */
@NullMarked
package io.sluice.admission.decision;

import org.jspecify.annotations.NullMarked;
