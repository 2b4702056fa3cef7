// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.estimate;

import io.sluice.queuemodel.job.JobId;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The expected starts that this server estimated last, for people. They may be a few seconds old,
 * and name jobs that have started since. May be used by several threads.
 */
public final class ExpectedStarts {
  private volatile SortedMap<JobId, ExpectedStart> starts = Collections.emptySortedMap();

  /** The expected start of a waiting job; null if there is none. */
  public @Nullable ExpectedStart find(JobId job) {
    return starts.get(job);
  }

  /** All expected starts, by job. */
  public SortedMap<JobId, ExpectedStart> all() {
    return starts;
  }

  void replace(Map<JobId, ExpectedStart> estimated) {
    starts = Collections.unmodifiableSortedMap(new TreeMap<>(estimated));
  }
}
