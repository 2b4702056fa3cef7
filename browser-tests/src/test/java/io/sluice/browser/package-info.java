// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the packaged server in a real browser, as its users see it. They use no class of the
 * application, and do not repeat what tests of single requests check.
 */
@NullMarked
package io.sluice.browser;

import org.jspecify.annotations.NullMarked;
