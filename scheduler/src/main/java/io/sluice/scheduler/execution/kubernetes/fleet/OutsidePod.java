// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pod on a node that Sluice did not admit.
 *
 * @param name namespace and name, such as {@code default/notebook}
 * @param node the node's name in its cluster
 * @param requests the pod's requests as kube-scheduler counts them, and one pod
 */
record OutsidePod(String name, String node, ResourceList requests) {
  /** Reads a pod; null if it has no node or has ended. */
  static @Nullable OutsidePod of(Pod pod) {
    String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
    String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    if (node == null || node.isEmpty() || "Succeeded".equals(phase) || "Failed".equals(phase)) {
      return null;
    }
    return new OutsidePod(
        pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName(),
        node.intern(),
        requests(pod));
  }

  /** Whether it uses chips of its node. */
  boolean usesTpus() {
    return requests.get(ResourceName.TPU) > 0;
  }

  /**
   * Returns the pod's effective requests: the larger of the sum of its containers and the peak of
   * its initialization, plus the overhead. Sidecars are init containers that stay.
   */
  private static ResourceList requests(Pod pod) {
    TreeMap<ResourceName, Long> running = new TreeMap<>();
    for (Container container : pod.getSpec().getContainers()) {
      add(running, amounts(container));
    }
    TreeMap<ResourceName, Long> sidecars = new TreeMap<>();
    TreeMap<ResourceName, Long> most = new TreeMap<>();
    for (Container container : pod.getSpec().getInitContainers()) {
      TreeMap<ResourceName, Long> now = new TreeMap<>(sidecars);
      add(now, amounts(container));
      if ("Always".equals(container.getRestartPolicy())) {
        sidecars = now;
      }
      now.forEach((resource, amount) -> most.merge(resource, amount, Math::max));
    }
    add(running, sidecars);
    most.forEach((resource, amount) -> running.merge(resource, amount, Math::max));
    add(running, amounts(pod.getSpec().getOverhead()));
    running.merge(ResourceName.PODS, 1L, Long::max);
    return new ResourceList(running);
  }

  private static void add(Map<ResourceName, Long> sum, Map<ResourceName, Long> more) {
    more.forEach((resource, amount) -> sum.merge(resource, amount, OutsidePod::plus));
  }

  static long plus(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  private static Map<ResourceName, Long> amounts(Container container) {
    return container.getResources() == null
        ? Map.of()
        : amounts(container.getResources().getRequests());
  }

  private static Map<ResourceName, Long> amounts(@Nullable Map<String, Quantity> quantities) {
    TreeMap<ResourceName, Long> amounts = new TreeMap<>();
    if (quantities != null) {
      quantities.forEach(
          (key, quantity) -> {
            try {
              ResourceName resource = new ResourceName(key.intern());
              long amount = Quantities.parseSaturated(quantity.toString(), resource);
              amounts.put(resource, Math.max(0, amount));
            } catch (InvalidValueException unreadable) {
              // Skipped: Sluice accepts no such name or amount in jobs either.
            }
          });
    }
    return amounts;
  }
}
