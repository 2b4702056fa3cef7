// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import java.time.Duration;

/**
 * The retention of past decisions, the frequency of snapshots, and the age of what is archived.
 *
 * @param snapshotEvery number of batches after which a snapshot is due; at least 1
 * @param retention minimum time for which past decisions can be recomputed; positive
 * @param archiveAfter minimum time between the end of a job and its archiving; positive
 */
record HistorySettings(int snapshotEvery, Duration retention, Duration archiveAfter) {
  /** Maximum number of snapshots within the retention. */
  public static final int SNAPSHOTS_MAX = 200;

  public HistorySettings {
    if (snapshotEvery < 1 || retention.toMillis() < 1 || archiveAfter.toMillis() < 1) {
      throw new IllegalArgumentException(
          "a snapshot every %d batches, kept for %s, and an archive after %s"
              .formatted(snapshotEvery, retention, archiveAfter));
    }
  }

  /** Minimum time between two snapshots. */
  Duration spacing() {
    return retention.dividedBy(SNAPSHOTS_MAX);
  }
}
