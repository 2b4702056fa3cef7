// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.store.job.NewJob;
import io.sluice.scheduler.store.job.PendingCount;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The number of further jobs that submitters may have pending in LocalQueues with a limit. Valid in
 * the transaction that created it, which locks these counts until it ends.
 */
final class PendingLimits {
  /** The limit, and the number of pending jobs. */
  private record Standing(int limit, long pending) {}

  private final Map<PendingCount.Key, Standing> standings = new TreeMap<>();

  private PendingLimits() {}

  /**
   * Counts the pending jobs of the submitters of new jobs.
   *
   * @param jobs that are to be written
   * @param objects contain their LocalQueues
   */
  static PendingLimits of(
      Connection connection, Collection<NewJob> jobs, Map<ObjectKey, QuotaObject> objects)
      throws SQLException {
    NavigableMap<PendingCount.Key, Integer> limits = new TreeMap<>();
    for (NewJob job : jobs) {
      Integer limit = limit(job.spec().queueKey(), objects);
      if (limit != null) {
        limits.put(key(job), limit);
      }
    }
    PendingLimits result = new PendingLimits();
    if (!limits.isEmpty()) {
      Map<PendingCount.Key, Long> pending = PendingCount.hold(connection, limits.navigableKeySet());
      limits.forEach(
          (key, limit) ->
              result.standings.put(key, new Standing(limit, pending.getOrDefault(key, 0L))));
    }
    return result;
  }

  private static @Nullable Integer limit(QueueKey queue, Map<ObjectKey, QuotaObject> objects) {
    return objects.get(queue.objectKey()) instanceof LocalQueue local
        ? local.limits().pendingJobs()
        : null;
  }

  private static PendingCount.Key key(NewJob job) {
    return new PendingCount.Key(job.spec().queueKey(), job.submitter().name());
  }

  /**
   * Adds jobs to the counts, all or none.
   *
   * @return the reason to refuse them; null if they are counted
   */
  @Nullable RefusedException add(List<NewJob> jobs) {
    NavigableMap<PendingCount.Key, Integer> more = new TreeMap<>();
    jobs.stream()
        .map(PendingLimits::key)
        .filter(standings::containsKey)
        .forEach(key -> more.merge(key, 1, Integer::sum));
    for (Map.Entry<PendingCount.Key, Integer> entry : more.entrySet()) {
      Standing standing = standings.get(entry.getKey());
      if (standing != null && standing.pending() + entry.getValue() > standing.limit()) {
        return refusal(entry.getKey(), standing, entry.getValue());
      }
    }
    more.forEach(
        (key, count) ->
            standings.computeIfPresent(
                key, (same, before) -> new Standing(before.limit(), before.pending() + count)));
    return null;
  }

  private static RefusedException refusal(PendingCount.Key key, Standing standing, int more) {
    return new RefusedException(
        RefusedException.Kind.LIMIT_REACHED,
        "LocalQueue %s allows one submitter %d pending jobs: %s has %d, and %d more came"
            .formatted(key.queue(), standing.limit(), key.submitter(), standing.pending(), more));
  }
}
