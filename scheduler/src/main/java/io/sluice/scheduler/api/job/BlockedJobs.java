// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.admission.explain.Blocker;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.explanation.WaitingBlockers;
import io.sluice.scheduler.store.job.JobFilter;
import io.sluice.scheduler.store.job.JobOrder;
import io.sluice.scheduler.store.job.JobReader;
import io.sluice.scheduler.store.job.StoredJob;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Pages of pending jobs with one blocker. The database does not know blockers, so a page looks at a
 * bounded number of pending jobs and keeps those that match.
 */
final class BlockedJobs {
  /** Maximum number of pending jobs at which a page looks. */
  static final int CANDIDATES_MAX = 1_000;

  private static final Comparator<JobReader.Place> BY_KIND =
      Comparator.comparing(JobReader.Place::queue).thenComparing(JobReader.Place::shape);

  private final JobReader jobs;
  private final WaitingBlockers blockers;

  BlockedJobs(JobReader jobs, WaitingBlockers blockers) {
    this.jobs = jobs;
    this.blockers = blockers;
  }

  /**
   * The jobs of a page.
   *
   * @param next the last job at which the page looked; null: there is no further page
   */
  record Found(List<StoredJob> jobs, JobFilter.@Nullable Cursor next) {}

  /**
   * Up to {@code limit} jobs. There may be fewer, or none, although another page follows.
   *
   * @param after where the previous page ended; null: starts with the first
   */
  Found page(
      JobFilter filter,
      JobOrder order,
      JobFilter.@Nullable Cursor after,
      Blocker blocker,
      int limit) {
    if (!filter.states().isEmpty() && !filter.states().contains(JobState.PENDING)) {
      return new Found(List.of(), null);
    }
    JobFilter pending = filter.withStates(List.of(JobState.PENDING));
    List<JobReader.Place> places = jobs.places(pending, order, after, CANDIDATES_MAX);
    Set<JobId> matching = matching(places, blocker);
    List<JobId> found = new ArrayList<>();
    for (JobReader.Place place : places) {
      if (matching.contains(place.cursor().id())) {
        found.add(place.cursor().id());
      }
      if (found.size() == limit) {
        return new Found(jobs.ofIds(found, order), place.cursor());
      }
    }
    JobFilter.Cursor next =
        places.size() < CANDIDATES_MAX ? null : places.get(places.size() - 1).cursor();
    return new Found(jobs.ofIds(found, order), next);
  }

  private Set<JobId> matching(List<JobReader.Place> places, Blocker blocker) {
    List<JobId> byKind = places.stream().sorted(BY_KIND).map(place -> place.cursor().id()).toList();
    List<@Nullable Blocker> found = blockers.of(byKind, WaitingBlockers.TIME_MAX);
    if (found == null) {
      throw ProblemException.badRequest(
          "blocker=%s takes longer than %d s: use further filters"
              .formatted(blocker, WaitingBlockers.TIME_MAX.toSeconds()));
    }
    Set<JobId> matching = new TreeSet<>();
    for (int at = 0; at < byKind.size(); at++) {
      if (found.get(at) == blocker) {
        matching.add(byKind.get(at));
      }
    }
    return matching;
  }
}
