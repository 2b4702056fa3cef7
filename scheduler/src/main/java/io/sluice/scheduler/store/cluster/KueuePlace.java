// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.cluster;

import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;

/**
 * The place of a cluster's object in its queue of Kueue.
 *
 * @param since the time by which Kueue orders workloads of one priority
 * @param held whether Kueue was told to leave it alone
 */
public record KueuePlace(UUID uid, Instant since, int priority, boolean held)
    implements Comparable<KueuePlace> {
  private static final Comparator<KueuePlace> LINE =
      Comparator.comparingInt(KueuePlace::priority)
          .reversed()
          .thenComparing(KueuePlace::since)
          .thenComparing(KueuePlace::uid);

  /** Orders places as Kueue's queues do, the head first. */
  @Override
  public int compareTo(KueuePlace other) {
    return LINE.compare(this, other);
  }
}
