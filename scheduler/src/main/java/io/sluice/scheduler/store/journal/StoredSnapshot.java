// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import java.time.Instant;

/**
 * A complete stored snapshot.
 *
 * @param sequence of the last batch that it includes
 * @param takenAt its start, by the database's clock
 * @param jobs number of jobs that had not ended
 * @param bytes stored size, compressed
 */
public record StoredSnapshot(long sequence, Instant takenAt, int jobs, long bytes) {}
