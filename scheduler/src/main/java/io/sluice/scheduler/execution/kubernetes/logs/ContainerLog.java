// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.logs;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.TimeTailPrettyLoggable;
import io.sluice.scheduler.execution.kubernetes.cluster.SeenPod;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The log of a pod's first container, as the API of its cluster has it: from a time on, or the last
 * lines, each line behind its time.
 */
final class ContainerLog {
  private final PodResource pod;
  private final String container;

  private ContainerLog(PodResource pod, String container) {
    this.pod = pod;
    this.container = container;
  }

  static ContainerLog of(KubernetesClient client, Pod pod) {
    PodResource resource =
        client
            .pods()
            .inNamespace(pod.getMetadata().getNamespace())
            .withName(pod.getMetadata().getName());
    return new ContainerLog(resource, pod.getSpec().getContainers().get(0).getName());
  }

  /** The state of the pod. */
  enum State {
    /** It has no log yet. */
    WAITING,
    /** Its containers run. */
    LIVE,
    /** Its containers have ended. */
    OVER,
    /** It was deleted, with its log. */
    GONE
  }

  /**
   * Reads the state of the pod.
   *
   * @throws KubernetesClientException if the cluster does not answer
   */
  State state() {
    Pod now = pod.get();
    if (now == null) {
      return State.GONE;
    }
    SeenPod seen = SeenPod.of(now);
    return seen.over() ? State.OVER : seen.begun() ? State.LIVE : State.WAITING;
  }

  private TimeTailPrettyLoggable stamped() {
    // Without the wait for a pod that is ready, which would block.
    return pod.inContainer(container).withReadyWaitTimeout(0).usingTimestamps();
  }

  /**
   * Opens the log up to its present end.
   *
   * @param lines number of the last lines to read; null: all
   * @throws KubernetesClientException if there is none, as before the container has started
   */
  InputStream read(@Nullable Integer lines) {
    return lines == null
        ? stamped().getLogInputStream()
        : stamped().tailingLines(lines).getLogInputStream();
  }

  /**
   * Writes the log to a stream as it grows.
   *
   * @param since the time from whose second on; null: from the beginning
   */
  LogWatch follow(@Nullable Instant since, OutputStream out) {
    return since == null
        ? stamped().watchLog(out)
        : stamped().sinceTime(since.toString()).watchLog(out);
  }
}
