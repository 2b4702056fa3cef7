// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.projection.ProjectedJob.Who;
import io.sluice.admission.projection.Projection;
import io.sluice.admission.projection.ProjectionBounds;
import io.sluice.admission.projection.ProjectionComparison;
import io.sluice.admission.projection.Projector;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QuotaObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The futures of a copy of the state without and with the inputs of an edit.
 *
 * @param submitted jobs that the edit submits; their ids mean nothing
 */
public record ProjectedEdit(ProjectionComparison compared, Set<JobId> submitted) {
  /**
   * How far to look.
   *
   * @param horizon virtual time after which nothing is decided
   * @param longest time that each of the two projections may take
   */
  public record Reach(Duration horizon, Duration longest) {
    private ProjectionBounds bounds() {
      long begun = System.nanoTime();
      return ProjectionBounds.of(horizon, () -> System.nanoTime() - begun < longest.toNanos());
    }
  }

  /**
   * Projects both futures.
   *
   * @param asked existing jobs that are listed in any case, as are those that the edit submits
   */
  public static ProjectedEdit of(
      StateSnapshot snapshot,
      EnginePolicy policy,
      Instant now,
      List<Input> edit,
      List<Workload> asked,
      Reach reach) {
    Projection without = Projector.project(snapshot, policy, now, List.of(), reach.bounds());
    Projection with = Projector.project(snapshot, policy, now, edit, reach.bounds());
    List<Workload> submitted =
        edit.stream()
            .filter(Input.SubmitJob.class::isInstance)
            .map(input -> ((Input.SubmitJob) input).workload())
            .toList();
    Set<JobId> ids =
        submitted.stream().map(Workload::id).collect(Collectors.toCollection(TreeSet::new));
    List<Who> listed =
        Stream.concat(submitted.stream(), asked.stream())
            .map(job -> who(job, snapshot, edit))
            .toList();
    return new ProjectedEdit(ProjectionComparison.of(without, with, listed, ids), ids);
  }

  private static Who who(Workload job, StateSnapshot snapshot, List<Input> edit) {
    Stream<QuotaObject> edited =
        edit.stream()
            .filter(Input.SetObject.class::isInstance)
            .map(input -> ((Input.SetObject) input).object());
    String clusterQueue =
        Stream.concat(snapshot.objects().stream(), edited)
            .filter(object -> object instanceof LocalQueue)
            .map(object -> (LocalQueue) object)
            .filter(queue -> queue.queueKey().equals(job.queue()))
            .reduce("", (before, queue) -> queue.clusterQueue(), (one, other) -> other);
    return new Who(
        job.id(), job.queue().namespace(), job.name(), clusterQueue, job.priority().value());
  }
}
