// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.cluster;

import java.time.Instant;
import java.util.Comparator;
import java.util.UUID;

/**
 * Where an object of a cluster stood in Kueue's line.
 *
 * @param since by which it stood among those of its priority
 * @param held whether Kueue was told to leave it alone
 */
public record KueuePlace(UUID uid, Instant since, int priority, boolean held)
    implements Comparable<KueuePlace> {
  private static final Comparator<KueuePlace> LINE =
      Comparator.comparingInt(KueuePlace::priority)
          .reversed()
          .thenComparing(KueuePlace::since)
          .thenComparing(KueuePlace::uid);

  /** Those who are first in line first. */
  @Override
  public int compareTo(KueuePlace other) {
    return LINE.compare(this, other);
  }
}
