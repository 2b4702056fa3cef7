// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import java.time.Instant;

/**
 * That a snapshot is stored, and whole.
 *
 * @param sequence of the batch after which it is
 * @param takenAt by the database clock, when it was begun
 * @param jobs that had not ended
 * @param bytes as it is stored, compressed
 */
public record StoredSnapshot(long sequence, Instant takenAt, int jobs, long bytes) {}
