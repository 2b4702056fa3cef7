// SPDX-License-Identifier: Apache-2.0
/**
 * Runs attempts as processes of this machine, one process group per pod, on a configured fleet of
 * virtual hosts and slices. It isolates jobs from the server, not from each other, and does not
 * decide what runs.
 */
@NullMarked
package io.sluice.scheduler.execution.local;

import org.jspecify.annotations.NullMarked;
