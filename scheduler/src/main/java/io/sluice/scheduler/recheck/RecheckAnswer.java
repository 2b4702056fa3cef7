// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.recheck;

import io.sluice.scheduler.store.journal.RecordedRounds.StoredEvent;
import org.jspecify.annotations.Nullable;

/**
 * The result of a recheck.
 *
 * @param from sequence of the first batch
 * @param to sequence of the last batch that was decided again; at most that of the first difference
 * @param snapshot sequence of the snapshot that it started from
 * @param difference null: all decisions were the same
 * @param more whether more batches were requested than one call rechecks
 */
public record RecheckAnswer(
    long from, long to, long snapshot, @Nullable Difference difference, boolean more) {
  /**
   * The first event that differs from the recorded one.
   *
   * @param sequence of its batch
   * @param position in its batch, from 0
   * @param recorded null: the batch has no event there
   * @param recomputed null: no event was decided there
   */
  public record Difference(
      long sequence,
      int position,
      @Nullable StoredEvent recorded,
      @Nullable StoredEvent recomputed) {}
}
