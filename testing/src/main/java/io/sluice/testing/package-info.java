// SPDX-License-Identifier: Apache-2.0
/** Builders and seeded random values for tests. It holds no production code. */
@NullMarked
package io.sluice.testing;

import org.jspecify.annotations.NullMarked;
