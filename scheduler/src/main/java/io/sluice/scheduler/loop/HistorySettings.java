// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import java.time.Duration;

/**
 * The retention of past decisions and the frequency of snapshots.
 *
 * @param snapshotEvery number of batches after which a snapshot is due; at least 1
 * @param retention minimum time for which past decisions can be recomputed; positive
 */
record HistorySettings(int snapshotEvery, Duration retention) {
  /** Maximum number of snapshots within the retention. */
  public static final int SNAPSHOTS_MAX = 200;

  public HistorySettings {
    if (snapshotEvery < 1 || retention.toMillis() < 1) {
      throw new IllegalArgumentException(
          "a snapshot every %d batches, kept for %s".formatted(snapshotEvery, retention));
    }
  }

  /** Minimum time between two snapshots. */
  Duration spacing() {
    return retention.dividedBy(SNAPSHOTS_MAX);
  }
}
