// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the packaged server in a process of its own, over HTTP. They use no class of the
 * application.
 */
@NullMarked
package io.sluice.scheduler.process;

import org.jspecify.annotations.NullMarked;
