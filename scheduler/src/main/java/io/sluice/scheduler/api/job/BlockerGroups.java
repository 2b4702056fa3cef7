// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.admission.explain.Blocker;
import io.sluice.restmodel.job.JobCounts;
import io.sluice.scheduler.store.job.JobCounter;
import io.sluice.scheduler.store.job.JobCounter.Dimension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The numbers of waiting jobs with the same blocker and the same values of other fields. */
final class BlockerGroups {
  private record Key(List<String> values, String blocker) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.<Key, String>comparing(key -> String.join("\0", key.values))
            .thenComparing(Key::blocker);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  private static final class Group {
    private final Map<Dimension, String> values;
    private long count;
    private Instant oldest = Instant.MAX;

    Group(Map<Dimension, String> values) {
      this.values = values;
    }

    void add(JobCounter.Waiting job) {
      count++;
      oldest = job.submitted().isBefore(oldest) ? job.submitted() : oldest;
    }
  }

  private BlockerGroups() {}

  /**
   * Counts jobs.
   *
   * @param blockers one for each job; null: it has none
   * @return the groups, ordered by their fields; the blocker is empty for jobs without one
   */
  static List<JobCounts.Group> of(List<JobCounter.Waiting> jobs, List<@Nullable Blocker> blockers) {
    TreeMap<Key, Group> groups = new TreeMap<>();
    for (int at = 0; at < jobs.size(); at++) {
      Map<Dimension, String> values = jobs.get(at).values();
      Blocker blocker = blockers.get(at);
      Key key = new Key(List.copyOf(values.values()), blocker == null ? "" : blocker.name());
      groups.computeIfAbsent(key, absent -> new Group(values)).add(jobs.get(at));
    }
    List<JobCounts.Group> items = new ArrayList<>();
    groups.forEach(
        (key, group) ->
            items.add(
                JobCountsResource.group(group.values, key.blocker, group.count, group.oldest)));
    return items;
  }
}
