// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local.process;

/**
 * Which process: a pid alone is given to another one some day.
 *
 * @param start when it started, in the unit of the {@link ProcessTable} that told it
 */
public record ProcessMark(long pid, long start) {}
