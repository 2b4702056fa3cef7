// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.process;

/**
 * Identifies a process by pid and start time, since the system reuses pids.
 *
 * @param start start time in the unit of the {@link ProcessTable}
 */
public record ProcessMark(long pid, long start) {}
