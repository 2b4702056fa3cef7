// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.accelerators;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quantity.ResourceName;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The metrics endpoints for a pod with TPU chips.
 *
 * @param node endpoint of its node; null: none
 * @param own endpoint of the pod itself; null: none
 */
public record Place(PodName pod, JobId job, @Nullable URI node, @Nullable URI own) {
  private static final int PORT_MAX = 65_535;

  /**
   * Returns the endpoints of a pod: at its node, and at the pod if it carries Prometheus' usual
   * annotations {@code prometheus.io/scrape}, {@code port} and {@code path}.
   *
   * @param port port of the metrics on nodes; 0: none
   * @return null if the pod has no TPU or does not run
   */
  public static @Nullable Place of(Pod pod, JobId job, int port) {
    boolean runs = pod.getStatus() != null && "Running".equals(pod.getStatus().getPhase());
    if (!runs || pod.getSpec().getContainers().stream().noneMatch(Place::hasTpu)) {
      return null;
    }
    URI node = port == 0 ? null : uri(pod.getStatus().getHostIP(), port, "/metrics");
    Map<String, String> notes = pod.getMetadata().getAnnotations();
    URI own = null;
    if (notes != null && "true".equals(notes.get("prometheus.io/scrape"))) {
      own =
          uri(
              pod.getStatus().getPodIP(),
              portOf(notes.getOrDefault("prometheus.io/port", "")),
              notes.getOrDefault("prometheus.io/path", "/metrics"));
    }
    PodName name = new PodName(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
    return node == null && own == null ? null : new Place(name, job, node, own);
  }

  private static boolean hasTpu(Container container) {
    return container.getResources() != null
        && container.getResources().getLimits() != null
        && container.getResources().getLimits().containsKey(ResourceName.TPU.value());
  }

  private static int portOf(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException none) {
      return 0;
    }
  }

  private static @Nullable URI uri(@Nullable String host, int port, String path) {
    if (host == null || host.isEmpty() || port < 1 || port > PORT_MAX || !path.startsWith("/")) {
      return null;
    }
    try {
      return new URI("http", null, host, port, path, null, null);
    } catch (URISyntaxException unusable) {
      return null;
    }
  }
}
