// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.backup;

/**
 * The last value of an identity column's sequence.
 *
 * @param table name as SQL
 * @param called whether {@code last} was already used
 */
record SequenceState(String table, String column, long last, boolean called) {}
