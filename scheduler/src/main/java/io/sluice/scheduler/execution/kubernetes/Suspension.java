// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.sluice.manifests.rendering.AdoptedEdits;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.kubernetes.cluster.Adopted;
import io.sluice.scheduler.execution.kubernetes.cluster.Cluster;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.LabelledAttempt;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Ends an attempt in an object that its user created: suspends the object, waits until its pods
 * have ended, and restores the spec that the user wrote. The object's controller ends the pods. If
 * the attempt has less time than its grace period, the pods are deleted as well; pods of Jobs only
 * after the Job controller has observed the suspension, since it counts earlier deletions as
 * failures.
 */
final class Suspension implements ReleasePolicy {
  private static final Set<ClusterKind> RUNS_AS_JOBS = Set.of(ClusterKind.JOB, ClusterKind.JOB_SET);

  private final ClusterWork work;
  private final Launch launch;
  private Duration grace;

  Suspension(ClusterWork work, Launch launch) {
    this.work = work;
    this.launch = launch;
    this.grace = launch.job().limits().gracePeriod();
  }

  /**
   * Whether another client suspended an object. The watch may be older than the release, so the API
   * server is asked.
   */
  static boolean isByOthers(ClusterWork work, AttemptKey key, List<ObjectRef> objects) {
    for (ObjectRef object : objects) {
      GenericKubernetesResource owner = work.watch().owner(key, object);
      if (owner != null && Observation.isSuspended(owner)) {
        JsonNode there = work.cluster().find(object);
        return there != null && there.path("spec").path("suspend").asBoolean();
      }
    }
    return false;
  }

  @Override
  public boolean tell(ObjectRef object, Duration gracePeriod) {
    grace = gracePeriod;
    JsonNode there = work.cluster().findSame(object);
    if (there == null || !isOfAttempt(there)) {
      return true;
    }
    if (Adopted.isOver(there)) {
      deletePods(object);
      return true;
    }
    if (!there.path("spec").path("suspend").asBoolean()) {
      ObjectNode change = JsonNodeFactory.instance.objectNode();
      JsonNode unused =
          work.cluster().change(ObjectRef.of(object.kind(), there), change.put("suspend", true));
    }
    return true;
  }

  private void deletePods(ObjectRef object) {
    work.cluster()
        .deletePods(object.namespace(), LabelledAttempt.selector(launch.attempt()), grace);
  }

  /** Whether the object still belongs to the attempt, not to a later one or to its user. */
  private boolean isOfAttempt(JsonNode there) {
    LabelledAttempt of = LabelledAttempt.of(there);
    return of != null && of.key().equals(launch.attempt());
  }

  @Override
  public boolean isBack(ObjectRef object) {
    JsonNode there = work.cluster().findSame(object);
    if (there == null || Adopted.isOver(there) || !isOfAttempt(there)) {
      return true;
    }
    if (!there.path("spec").path("suspend").asBoolean()) {
      boolean unused = tell(object, grace);
      return false;
    }
    boolean going = there.path("metadata").has("deletionTimestamp");
    if (!work.cluster().arePodsOver(object.namespace(), launch.attempt())) {
      boolean hurried = grace.compareTo(launch.job().limits().gracePeriod()) < 0;
      if (hurried && (going || mayDeletePods(object, there))) {
        deletePods(object);
      }
      return false;
    }
    if (!going && !isSettled(object, there)) {
      return false;
    }
    if (!going) {
      restore(object.kind(), (ObjectNode) there);
    }
    return true;
  }

  private boolean mayDeletePods(ObjectRef object, JsonNode there) {
    return !RUNS_AS_JOBS.contains(object.kind()) || isSettled(object, there);
  }

  /** Whether its controllers have observed the suspension; until then they may create pods. */
  private boolean isSettled(ObjectRef object, JsonNode there) {
    return Adopted.isSuspended(object.kind(), there)
        && children(work.cluster(), object).stream()
            .allMatch(
                child -> Adopted.isOver(child) || Adopted.isSuspended(ClusterKind.JOB, child));
  }

  /** Returns the Jobs of a JobSet. */
  static List<JsonNode> children(Cluster cluster, ObjectRef object) {
    return object.kind() == ClusterKind.JOB_SET
        ? cluster.list(
            ClusterKind.JOB, object.namespace(), Adopted.JOB_SET_NAME + "=" + object.name())
        : List.of();
  }

  private void restore(ClusterKind kind, ObjectNode there) {
    try {
      JsonNode ready = Adopted.withoutStartTime(work.cluster(), kind, there);
      JsonNode unused =
          work.cluster()
              .replace(
                  kind, AdoptedEdits.restore((ObjectNode) ready, work.rendering().adopted(launch)));
    } catch (ClusterException failure) {
      if (failure.reason() == Reason.CONFLICT) {
        // Its controller wrote the status meanwhile: retry.
        throw new ClusterException(Reason.AWAY, failure.text(), failure);
      }
      throw failure;
    }
  }
}
