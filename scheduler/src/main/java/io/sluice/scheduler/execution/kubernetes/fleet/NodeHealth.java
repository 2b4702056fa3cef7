// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Taint;
import io.sluice.computeclasses.NodeLabels;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The health of a node: whether pods may run on it, by its conditions, taints and labels.
 *
 * @param notice of a leaving node: the longest time for which its pods may continue; else zero
 * @param reason for people, such as {@code is not ready: KubeletStopped}; empty if the node is well
 */
record NodeHealth(State state, Duration notice, String reason) {
  /** The health of a node without a problem. */
  public static final NodeHealth WELL = new NodeHealth(State.WELL, Duration.ZERO, "");

  /** Notice of maintenance: GKE gives pods on accelerators at most an hour. */
  static final Duration MAINTENANCE_NOTICE = Duration.ofHours(1);

  /** Notice of spot nodes, which are gone about thirty seconds after the preemption notice. */
  static final Duration SPOT_NOTICE = Duration.ofSeconds(25);

  private static final String TERMINATION = "cloud.google.com/impending-node-termination";
  private static final String MAINTENANCE = "cloud.google.com/active-node-maintenance";
  private static final String ONGOING = "ONGOING";
  private static final String WANTED_MAINTENANCE = "cloud.google.com/perform-maintenance";

  /** Labels that announce GKE's maintenance and its progress. */
  private static final Set<String> LABELS =
      Set.of(
          MAINTENANCE,
          WANTED_MAINTENANCE,
          "cloud.google.com/scheduled-maintenance-time",
          "cloud.google.com/scheduled-maintenance-time-latest");

  private static final Set<String> GONE =
      Set.of(
          "node.kubernetes.io/not-ready",
          "node.kubernetes.io/unreachable",
          "node.kubernetes.io/out-of-service",
          "node.kubernetes.io/network-unavailable",
          "node.cloudprovider.kubernetes.io/shutdown");

  private static final Set<String> CLOSED =
      Set.of(
          "node.kubernetes.io/unschedulable",
          "node.kubernetes.io/memory-pressure",
          "node.kubernetes.io/disk-pressure",
          "node.kubernetes.io/pid-pressure",
          "node.cloudprovider.kubernetes.io/uninitialized",
          "ToBeDeletedByClusterAutoscaler");

  /** A soft taint of the autoscaler, which it may remove again. */
  private static final String CANDIDATE = "DeletionCandidateOfClusterAutoscaler";

  private static final List<String> STARTING =
      List.of(
          "startup-taint.cluster-autoscaler.kubernetes.io/",
          "ignore-taint.cluster-autoscaler.kubernetes.io/");

  /** States, from best to worst. */
  enum State {
    /** Pods may start and run. */
    WELL,
    /** Running pods continue; no pod may start. */
    CLOSED,
    /** Running pods must end within the notice. */
    LEAVING,
    /** No pod runs there, as far as is known. */
    GONE
  }

  static NodeHealth gone(String reason) {
    return new NodeHealth(State.GONE, Duration.ZERO, reason);
  }

  private static NodeHealth closed(String reason) {
    return new NodeHealth(State.CLOSED, Duration.ZERO, reason);
  }

  /** Returns the health of a node whose chips a pod outside Sluice uses. */
  static NodeHealth inUse(String pod) {
    return closed("is in use outside Sluice by " + pod);
  }

  /** Returns the worst state that a condition, taint or label of the node gives. */
  public static NodeHealth of(Node node) {
    if (node.getMetadata().getDeletionTimestamp() != null) {
      return gone("is being deleted");
    }
    NodeHealth worst = ofCondition(node);
    if (node.getSpec() != null) {
      if (Boolean.TRUE.equals(node.getSpec().getUnschedulable())) {
        worst = worst.worseOf(closed("is cordoned"));
      }
      for (Taint taint : node.getSpec().getTaints()) {
        worst = worst.worseOf(ofTaint(taint, node));
      }
    }
    Map<String, String> labels = labels(node);
    if (ONGOING.equals(labels.get(MAINTENANCE))) {
      worst = worst.worseOf(leaving("is being maintained", node));
    }
    if ("true".equals(labels.get(WANTED_MAINTENANCE))) {
      worst = worst.worseOf(closed("is to be maintained"));
    }
    return worst;
  }

  private NodeHealth worseOf(NodeHealth other) {
    return other.state.compareTo(state) > 0 ? other : this;
  }

  private static NodeHealth ofCondition(Node node) {
    List<NodeCondition> conditions =
        node.getStatus() == null ? List.of() : node.getStatus().getConditions();
    for (NodeCondition condition : conditions) {
      if ("Ready".equals(condition.getType())) {
        String why = Objects.requireNonNullElse(condition.getReason(), "no reason given");
        return "True".equals(condition.getStatus()) ? WELL : gone("is not ready: " + why);
      }
    }
    return gone("has not said that it is ready");
  }

  private static NodeHealth ofTaint(Taint taint, Node node) {
    String key = taint.getKey();
    if (GONE.contains(key)) {
      return gone("has the taint " + key);
    }
    if (TERMINATION.equals(key)) {
      return leaving("is about to be terminated", node);
    }
    boolean starting = STARTING.stream().anyMatch(key::startsWith);
    return starting || CLOSED.contains(key) ? closed("has the taint " + key) : WELL;
  }

  private static NodeHealth leaving(String reason, Node node) {
    boolean spot = "true".equals(labels(node).get(NodeLabels.SPOT));
    return new NodeHealth(State.LEAVING, spot ? SPOT_NOTICE : MAINTENANCE_NOTICE, reason);
  }

  private static Map<String, String> labels(Node node) {
    return Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of());
  }

  /** Whether a label describes a node's health; such labels are not part of the fleet. */
  static boolean isLabelOfHealth(String key) {
    return LABELS.contains(key);
  }

  /** Whether a taint describes a node's health; such taints are not part of the fleet. */
  static boolean isTaintOfHealth(String key) {
    return GONE.contains(key)
        || CLOSED.contains(key)
        || TERMINATION.equals(key)
        || CANDIDATE.equals(key)
        || STARTING.stream().anyMatch(key::startsWith);
  }
}
