// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.agroal.api.AgroalDataSource;
import io.sluice.admission.explain.Blocker;
import io.sluice.restmodel.job.JobCounts;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.explanation.WaitingBlockers;
import io.sluice.scheduler.api.sharing.Shared;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.job.JobCounter;
import io.sluice.scheduler.store.job.JobCounter.Dimension;
import io.sluice.scheduler.store.job.JobFilter;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The numbers of jobs in groups over REST. */
@Tag(name = "Jobs")
@Path("/v1/jobs/counts")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
@Blocking
class JobCountsResource {
  /** Maximum number of waiting jobs of which the blockers are counted. */
  private static final int WAITING_MAX = 100_000;

  /** Maximum number of groups in an answer. */
  private static final int GROUPS_MAX = 10_000;

  private final JobCounter counter;
  private final WaitingBlockers blockers;
  private final CurrentCaller caller;

  JobCountsResource(AgroalDataSource database, CommittedView view, CurrentCaller caller) {
    this.caller = caller;
    this.blockers = new WaitingBlockers(view);
    this.counter = new JobCounter(database);
  }

  /**
   * Counts jobs; by their blocker, only those that wait.
   *
   * @param by names of dimensions, separated by commas
   */
  @Operation(
      operationId = "countJobs",
      summary = "Counts jobs by state, queue, namespace, class, team, label or blocker")
  @GET
  @Shared
  public JobCounts count(
      @QueryParam("by") @DefaultValue("state") String by,
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("queue") @Nullable String queue,
      @QueryParam("clusterQueue") @Nullable String clusterQueue,
      @QueryParam("name") @Nullable String name,
      @QueryParam("priorityClass") @Nullable String priorityClass,
      @QueryParam("computeClass") @Nullable String computeClass,
      @QueryParam("team") @Nullable String team,
      @QueryParam("state") List<String> states,
      @QueryParam("held") @Nullable Boolean held,
      @QueryParam("label") List<String> labels,
      @QueryParam("since") @Nullable String since,
      @QueryParam("until") @Nullable String until) {
    JobFilter filter =
        JobFilters.of(
            caller.readable(namespace),
            queue,
            clusterQueue,
            name,
            priorityClass,
            computeClass,
            team,
            states,
            held,
            labels,
            since,
            until);
    Grouping grouping = Grouping.read(by);
    return grouping.blocker()
        ? waiting(filter, grouping)
        : counts(
            counter.count(filter, grouping.stored(), GROUPS_MAX + 1).stream()
                .map(group -> group(group.values(), null, group.count(), group.oldest()))
                .toList());
  }

  private JobCounts waiting(JobFilter filter, Grouping grouping) {
    List<JobCounter.Waiting> jobs = counter.waiting(filter, grouping.stored(), WAITING_MAX + 1);
    if (jobs.size() > WAITING_MAX) {
      throw ProblemException.badRequest(
          "by=%s counts at most %d waiting jobs, and more match the filters: filter them"
              .formatted(Grouping.BLOCKER, WAITING_MAX));
    }
    List<@Nullable Blocker> found =
        blockers.of(jobs.stream().map(JobCounter.Waiting::id).toList(), WaitingBlockers.TIME_MAX);
    if (found == null) {
      throw ProblemException.badRequest(
          "by=%s takes longer than %d s for the %d waiting jobs that match the filters: filter them"
              .formatted(Grouping.BLOCKER, WaitingBlockers.TIME_MAX.toSeconds(), jobs.size()));
    }
    return counts(BlockerGroups.of(jobs, found));
  }

  /** The answer; refuses more groups than an answer may have. */
  static JobCounts counts(List<JobCounts.Group> groups) {
    if (groups.size() > GROUPS_MAX) {
      throw ProblemException.badRequest(
          "the jobs make more than %d groups: filter them, or group by fewer fields"
              .formatted(GROUPS_MAX));
    }
    return new JobCounts(groups, groups.stream().mapToLong(JobCounts.Group::count).sum());
  }

  /**
   * @param blocker null: not requested
   */
  static JobCounts.Group group(
      Map<Dimension, String> values, @Nullable String blocker, long count, Instant oldest) {
    return new JobCounts.Group(
        values.get(Dimension.STATE),
        values.get(Dimension.QUEUE),
        values.get(Dimension.CLUSTER_QUEUE),
        values.get(Dimension.NAMESPACE),
        values.get(Dimension.PRIORITY_CLASS),
        values.get(Dimension.TEAM),
        values.get(Dimension.COMPUTE_CLASS),
        values.get(Dimension.LABEL),
        blocker,
        count,
        oldest);
  }
}
