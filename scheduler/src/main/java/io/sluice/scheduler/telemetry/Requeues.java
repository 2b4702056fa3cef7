// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.sluice.queuemodel.job.IndexKey;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The times since which requeued indices wait, as far as this server has seen them. Bounded; the
 * oldest are dropped first.
 */
final class Requeues {
  private final Map<IndexKey, Instant> since;

  Requeues(int most) {
    since =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<IndexKey, Instant> eldest) {
            return size() > most;
          }
        };
  }

  void add(IndexKey index, Instant now) {
    since.remove(index);
    since.put(index, now);
  }

  /**
   * Removes an index.
   *
   * @return the start of its wait; null if unknown
   */
  @Nullable Instant take(IndexKey index) {
    return since.remove(index);
  }
}
