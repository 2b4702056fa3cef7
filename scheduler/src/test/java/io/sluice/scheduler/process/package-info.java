// SPDX-License-Identifier: Apache-2.0
/**
 * Tests of the packaged server in a process of its own, over HTTP. They use no class of the
 * application. The public ones start and call a server, also in tests of other modules.
 */
@NullMarked
package io.sluice.scheduler.process;

import org.jspecify.annotations.NullMarked;
