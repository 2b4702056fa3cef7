// SPDX-License-Identifier: Apache-2.0
/**
 * A single scheduling cycle as Kueue defines it, which answers the conformance cases and scenarios.
 * Rounds do not use this package; code that rounds come to need moves to the cycle package.
 */
@NullMarked
package io.sluice.admission.cycle.isolated;

import org.jspecify.annotations.NullMarked;
