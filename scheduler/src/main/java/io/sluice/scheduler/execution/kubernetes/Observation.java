// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.SeenPod;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of an attempt, computed from its objects and pods.
 *
 * @param started whether all pods that may exist so far have started
 * @param finished whether the attempt succeeded
 * @param failure the failure in the object's status; null: it has not failed
 */
record Observation(boolean started, boolean finished, @Nullable Failure failure) {
  private static final Set<String> SUCCESS = Set.of("Complete", "Completed");

  /**
   * A failure from an object's status, which does not describe its pods.
   *
   * @param cause null: take the cause from the pods
   */
  record Failure(@Nullable FailureCause cause, String message) {}

  /**
   * Computes the state of an object and its pods.
   *
   * @param expected how many pods of it may exist now
   */
  static Observation of(
      ClusterKind kind, GenericKubernetesResource owner, Collection<SeenPod> pods, int expected) {
    long begun = pods.stream().filter(SeenPod::begun).count();
    return switch (kind) {
      case RAY_JOB -> ofRayJob(owner, begun >= expected);
      case RAY_CLUSTER -> ofRayCluster(owner, begun >= expected);
      case POD -> throw new IllegalArgumentException("pods own nothing");
      default -> ofConditions(owner, begun >= expected);
    };
  }

  /** Computes the state of pods without an owner. */
  static Observation ofPods(Collection<SeenPod> pods, int expected) {
    boolean all = pods.size() >= expected;
    boolean failed = pods.stream().anyMatch(pod -> pod.over() && !pod.succeeded());
    return new Observation(
        all && pods.stream().allMatch(SeenPod::begun),
        all && pods.stream().allMatch(SeenPod::succeeded),
        failed ? new Failure(null, "a pod failed") : null);
  }

  private static Observation ofConditions(GenericKubernetesResource owner, boolean begun) {
    boolean finished = false;
    Failure failure = null;
    for (Map<String, Object> condition : conditions(owner)) {
      if (!"True".equals(condition.get("status"))) {
        continue;
      }
      String type = String.valueOf(condition.get("type"));
      if (SUCCESS.contains(type)) {
        finished = true;
      } else if (type.equals("Failed")) {
        String reason = String.valueOf(condition.get("reason"));
        boolean late = reason.equals("DeadlineExceeded");
        failure =
            new Failure(
                late ? FailureCause.TIME_LIMIT : null,
                reason + ": " + condition.getOrDefault("message", ""));
      }
    }
    return new Observation(begun || finished, finished, failure);
  }

  private static List<Map<String, Object>> conditions(GenericKubernetesResource owner) {
    List<Map<String, Object>> conditions = owner.get("status", "conditions");
    return conditions == null ? List.of() : conditions;
  }

  private static Observation ofRayJob(GenericKubernetesResource owner, boolean begun) {
    String status = text(owner, "jobDeploymentStatus");
    String result = text(owner, "jobStatus");
    boolean failed = status.equals("Failed") || result.equals("FAILED") || result.equals("STOPPED");
    boolean finished = status.equals("Complete") && !failed;
    Failure failure =
        failed ? new Failure(null, "its RayJob failed: " + text(owner, "message")) : null;
    return new Observation(begun || finished || status.equals("Running"), finished, failure);
  }

  private static Observation ofRayCluster(GenericKubernetesResource owner, boolean begun) {
    boolean ready = text(owner, "state").equals("ready");
    return new Observation(begun || ready, false, null);
  }

  private static String text(GenericKubernetesResource owner, String field) {
    Object value = owner.get("status", field);
    return value == null ? "" : value.toString();
  }

  /** Whether the attempt succeeded or failed. */
  boolean over() {
    return finished || failure != null;
  }

  /** Whether the spec of an object that owns pods is suspended. */
  static boolean isSuspended(GenericKubernetesResource owner) {
    return Boolean.TRUE.equals(owner.get("spec", "suspend"));
  }

  /**
   * Describes the start of a released attempt: pods that started, and the troubles of the others.
   */
  static String startProgress(List<SeenPod> pods, int expected) {
    long begun = pods.stream().filter(SeenPod::begun).count();
    String text = "%d of its %d pods have started".formatted(begun, expected);
    for (SeenPod pod : pods) {
      SeenPod.Trouble trouble = pod.trouble();
      if (trouble != null && !pod.begun()) {
        return text + "; " + trouble.message();
      }
    }
    for (SeenPod pod : pods) {
      if (pod.unplaced() != null) {
        return text + "; " + pod.unplaced();
      }
    }
    return text;
  }
}
