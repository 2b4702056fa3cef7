// SPDX-License-Identifier: Apache-2.0
/** Processes of this machine: lists them, finds their attempts, and ends them. It knows no pod. */
@NullMarked
package io.sluice.scheduler.execution.local.process;

import org.jspecify.annotations.NullMarked;
