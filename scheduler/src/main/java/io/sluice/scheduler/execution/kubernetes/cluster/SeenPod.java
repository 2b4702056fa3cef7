// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.sluice.queuemodel.event.FailureCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a pod, read from its status.
 *
 * @param begun whether its processes were started, whatever happened afterwards
 * @param over whether no process is left
 * @param succeeded whether all processes ended with code 0
 * @param trouble what went wrong; null: nothing
 * @param unplaced why the cluster's scheduler finds no node; null: it has one, or there is no
 *     report yet
 */
public record SeenPod(
    String name,
    boolean begun,
    boolean over,
    boolean succeeded,
    @Nullable Trouble trouble,
    @Nullable String unplaced) {
  private static final int SIGNAL_BASE = 128;
  private static final int SIGNAL_MAX = 64;

  /** A kubelet's reasons for an image that it can never pull. */
  private static final Set<String> NO_IMAGE = Set.of("InvalidImageName", "ErrImageNeverPull");

  /** A kubelet's reasons while it retries a pull. */
  private static final Set<String> NO_IMAGE_YET = Set.of("ErrImagePull", "ImagePullBackOff");

  /**
   * A problem of a pod.
   *
   * @param hopeless whether the pod will never start
   */
  public record Trouble(FailureCause cause, String message, boolean hopeless) {}

  public static SeenPod of(Pod pod) {
    String name = pod.getMetadata().getName();
    PodStatus status = pod.getStatus();
    if (status == null) {
      return new SeenPod(name, false, false, false, null, null);
    }
    String phase = String.valueOf(status.getPhase());
    boolean succeeded = phase.equals("Succeeded");
    boolean over = succeeded || phase.equals("Failed");
    return new SeenPod(
        name,
        over || phase.equals("Running"),
        over,
        succeeded,
        succeeded ? null : trouble("pod " + name, status, over),
        unplaced("pod " + name, status));
  }

  private static @Nullable String unplaced(String pod, PodStatus status) {
    for (PodCondition condition : status.getConditions()) {
      if ("PodScheduled".equals(condition.getType())
          && "Unschedulable".equals(condition.getReason())) {
        return said(pod + " has no node", "", condition.getMessage());
      }
    }
    return null;
  }

  private static @Nullable Trouble trouble(String pod, PodStatus status, boolean over) {
    Trouble disrupted = disrupted(pod, status, over);
    if (disrupted != null) {
      return disrupted;
    }
    List<ContainerStatus> containers = new ArrayList<>(status.getInitContainerStatuses());
    containers.addAll(status.getContainerStatuses());
    for (ContainerStatus container : containers) {
      Trouble ended = ended(pod + ", container " + container.getName(), container);
      if (ended != null) {
        return ended;
      }
    }
    return over
        ? new Trouble(
            FailureCause.HOST_LOST,
            said(pod + " failed", status.getReason(), status.getMessage()),
            false)
        : null;
  }

  /** Returns a disruption by the cluster; the end of pods by their Job is not one. */
  private static @Nullable Trouble disrupted(String pod, PodStatus status, boolean over) {
    if ("Evicted".equals(status.getReason())) {
      return new Trouble(
          FailureCause.HOST_LOST, said(pod + " was evicted", "", status.getMessage()), false);
    }
    for (PodCondition condition : status.getConditions()) {
      if (over
          && "DisruptionTarget".equals(condition.getType())
          && "True".equals(condition.getStatus())) {
        return new Trouble(
            FailureCause.HOST_LOST,
            said(pod + " was taken off its node", condition.getReason(), condition.getMessage()),
            false);
      }
    }
    return null;
  }

  private static @Nullable Trouble ended(String where, ContainerStatus container) {
    if (container.getState() == null) {
      return null;
    }
    if (container.getState().getWaiting() != null) {
      String reason = String.valueOf(container.getState().getWaiting().getReason());
      boolean never = NO_IMAGE.contains(reason);
      if (never || NO_IMAGE_YET.contains(reason)) {
        String message = container.getState().getWaiting().getMessage();
        return new Trouble(
            FailureCause.START_FAILED, said(where + " has no image", reason, message), never);
      }
      return null;
    }
    if (container.getState().getTerminated() == null) {
      return null;
    }
    Integer code = container.getState().getTerminated().getExitCode();
    if (code == null || code == 0) {
      return null;
    }
    if ("OOMKilled".equals(container.getState().getTerminated().getReason())) {
      return new Trouble(FailureCause.SIGNAL, where + " was killed: out of memory", false);
    }
    int signal = code - SIGNAL_BASE;
    return signal > 0 && signal <= SIGNAL_MAX
        ? new Trouble(FailureCause.SIGNAL, where + " was ended by signal " + signal, false)
        : new Trouble(FailureCause.EXIT_CODE, where + " ended with code " + code, false);
  }

  private static String said(String what, @Nullable String reason, @Nullable String message) {
    String text = what;
    for (String more : new String[] {reason, message}) {
      if (more != null && !more.isBlank()) {
        text += ": " + more.lines().findFirst().orElse("");
      }
    }
    return text;
  }
}
