// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.recheck;

import io.sluice.scheduler.store.journal.RecordedRounds.StoredEvent;
import org.jspecify.annotations.Nullable;

/**
 * What came of deciding batches again.
 *
 * @param from sequence of the first of them
 * @param to sequence of the last that was decided again; not further than the first difference
 * @param snapshot sequence of the snapshot that it went on from
 * @param difference null: all came out the same
 * @param more whether more was asked for than one call does
 */
public record RecheckAnswer(
    long from, long to, long snapshot, @Nullable Difference difference, boolean more) {
  /**
   * The first event that is not as it was recorded.
   *
   * @param sequence of its batch
   * @param position in its batch, from 0
   * @param recorded null: the batch has no event there
   * @param recomputed null: none was decided there
   */
  public record Difference(
      long sequence,
      int position,
      @Nullable StoredEvent recorded,
      @Nullable StoredEvent recomputed) {}
}
