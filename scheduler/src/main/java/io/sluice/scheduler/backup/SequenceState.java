// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.backup;

/**
 * Where the sequence of an identity column stands.
 *
 * @param table name as SQL
 * @param called whether {@code last} was given already
 */
record SequenceState(String table, String column, long last, boolean called) {}
