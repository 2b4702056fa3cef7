// SPDX-License-Identifier: Apache-2.0
/**
 * Processes of this machine: which live, whose they are, and how they are ended. It knows no pod.
 */
@NullMarked
package io.sluice.scheduler.execution.local.process;

import org.jspecify.annotations.NullMarked;
