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
 * Whether pods may be on a node, as its conditions, taints and labels say it.
 *
 * @param notice of a node that is leaving: for how long at most what runs there may go on; else
 *     zero
 * @param reason for people, as {@code is not ready: KubeletStopped}; empty of a node that is well
 */
record NodeHealth(State state, Duration notice, String reason) {
  /** A node that pods may be on. */
  public static final NodeHealth WELL = new NodeHealth(State.WELL, Duration.ZERO, "");

  /** GKE gives what runs on accelerators at most an hour when it maintains a node. */
  static final Duration MAINTENANCE_NOTICE = Duration.ofHours(1);

  /** Spot nodes are gone about thirty seconds after they are told to go. */
  static final Duration SPOT_NOTICE = Duration.ofSeconds(25);

  private static final String TERMINATION = "cloud.google.com/impending-node-termination";
  private static final String MAINTENANCE = "cloud.google.com/active-node-maintenance";
  private static final String ONGOING = "ONGOING";
  private static final String WANTED_MAINTENANCE = "cloud.google.com/perform-maintenance";

  /** They say when GKE will maintain a node, and what it does at the moment. */
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

  /** A preference of the autoscaler, which it may take back. */
  private static final String CANDIDATE = "DeletionCandidateOfClusterAutoscaler";

  private static final List<String> STARTING =
      List.of(
          "startup-taint.cluster-autoscaler.kubernetes.io/",
          "ignore-taint.cluster-autoscaler.kubernetes.io/");

  /** From the best to the worst. */
  enum State {
    /** Pods may come and run. */
    WELL,
    /** What runs goes on; nothing more may come. */
    CLOSED,
    /** What runs must end within the notice. */
    LEAVING,
    /** Nothing runs there, as far as anybody can tell. */
    GONE
  }

  static NodeHealth gone(String reason) {
    return new NodeHealth(State.GONE, Duration.ZERO, reason);
  }

  private static NodeHealth closed(String reason) {
    return new NodeHealth(State.CLOSED, Duration.ZERO, reason);
  }

  /** The chips of a node are in use by a pod that Sluice did not admit. */
  static NodeHealth inUse(String pod) {
    return closed("is in use outside Sluice by " + pod);
  }

  /** The worst that anything of the node says. */
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

  /** Whether a label speaks of a node's health; such labels are no part of the fleet. */
  static boolean isLabelOfHealth(String key) {
    return LABELS.contains(key);
  }

  /** Whether a taint speaks of a node's health; such taints are no part of the fleet. */
  static boolean isTaintOfHealth(String key) {
    return GONE.contains(key)
        || CLOSED.contains(key)
        || TERMINATION.equals(key)
        || CANDIDATE.equals(key)
        || STARTING.stream().anyMatch(key::startsWith);
  }
}
