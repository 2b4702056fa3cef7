// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.agroal.api.AgroalDataSource;
import io.sluice.restmodel.job.JobCounts;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
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
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  /** Maximum number of groups in an answer. */
  private static final int GROUPS_MAX = 10_000;

  private static final Map<String, Dimension> DIMENSIONS = dimensions();

  private final JobCounter counter;
  private final CurrentCaller caller;

  JobCountsResource(AgroalDataSource database, CurrentCaller caller) {
    this.caller = caller;
    this.counter = new JobCounter(database);
  }

  private static Map<String, Dimension> dimensions() {
    Map<String, Dimension> dimensions = new LinkedHashMap<>();
    dimensions.put("state", Dimension.STATE);
    dimensions.put("queue", Dimension.QUEUE);
    dimensions.put("clusterQueue", Dimension.CLUSTER_QUEUE);
    dimensions.put("namespace", Dimension.NAMESPACE);
    dimensions.put("priorityClass", Dimension.PRIORITY_CLASS);
    dimensions.put("team", Dimension.TEAM);
    return dimensions;
  }

  /**
   * Counts jobs.
   *
   * @param by names of dimensions, separated by commas
   */
  @Operation(
      operationId = "countJobs",
      summary = "Counts jobs by state, queue, namespace, class or team")
  @GET
  public JobCounts count(
      @QueryParam("by") @DefaultValue("state") String by,
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("queue") @Nullable String queue,
      @QueryParam("clusterQueue") @Nullable String clusterQueue,
      @QueryParam("name") @Nullable String name,
      @QueryParam("priorityClass") @Nullable String priorityClass,
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
            states,
            held,
            labels,
            since,
            until);
    return counts(counter.count(filter, read(by), GROUPS_MAX + 1));
  }

  private static Set<Dimension> read(String by) {
    Set<Dimension> dimensions = EnumSet.noneOf(Dimension.class);
    for (String word : by.split(",", -1)) {
      Dimension dimension = DIMENSIONS.get(word);
      if (dimension == null) {
        throw ProblemException.badRequest(
            "by must be one or several of %s, separated by commas, it is %s"
                .formatted(String.join(", ", DIMENSIONS.keySet()), Parameters.shown(by)));
      }
      dimensions.add(dimension);
    }
    return dimensions;
  }

  /** The answer; refuses more groups than an answer may have. */
  static JobCounts counts(List<JobCounter.Group> groups) {
    if (groups.size() > GROUPS_MAX) {
      throw ProblemException.badRequest(
          "the jobs make more than %d groups: filter them, or group by fewer fields"
              .formatted(GROUPS_MAX));
    }
    return new JobCounts(
        groups.stream().map(JobCountsResource::group).toList(),
        groups.stream().mapToLong(JobCounter.Group::count).sum());
  }

  private static JobCounts.Group group(JobCounter.Group group) {
    Map<Dimension, String> values = group.values();
    return new JobCounts.Group(
        values.get(Dimension.STATE),
        values.get(Dimension.QUEUE),
        values.get(Dimension.CLUSTER_QUEUE),
        values.get(Dimension.NAMESPACE),
        values.get(Dimension.PRIORITY_CLASS),
        values.get(Dimension.TEAM),
        group.count());
  }
}
