// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import java.time.Duration;

/**
 * How far back decisions can be recomputed, and at what price.
 *
 * @param snapshotEvery after how many batches a snapshot is due; at least 1
 * @param retention for how long at least what was decided can be recomputed; positive
 */
record HistorySettings(int snapshotEvery, Duration retention) {
  /** Of how many snapshots within the retention there are at most. */
  public static final int SNAPSHOTS_MAX = 200;

  public HistorySettings {
    if (snapshotEvery < 1 || retention.toMillis() < 1) {
      throw new IllegalArgumentException(
          "a snapshot every %d batches, kept for %s".formatted(snapshotEvery, retention));
    }
  }

  /** How long after one the next snapshot is due at the earliest. */
  Duration spacing() {
    return retention.dividedBy(SNAPSHOTS_MAX);
  }
}
