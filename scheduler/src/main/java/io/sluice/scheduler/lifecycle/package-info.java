// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of the server: their order of start, and which of them work only on the leader. It does
 * not create them.
 */
@NullMarked
package io.sluice.scheduler.lifecycle;

import org.jspecify.annotations.NullMarked;
