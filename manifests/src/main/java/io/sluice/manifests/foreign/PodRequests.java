// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.TreeMap;

/**
 * The requests of a pod, summed up as Kubernetes does. Containers run side by side. Init containers
 * run one after another before them, so the greediest counts; one that restarts always is a sidecar
 * and runs beside all that come after it. Of a resource with a limit only, the limit is asked for.
 * What the pod as a whole asks for stands in place of the sum; its overhead is added.
 */
final class PodRequests {
  private static final int CONTAINERS_MAX = 100;

  private final ObjectCursor podSpec;

  private PodRequests(ObjectCursor podSpec) {
    this.podSpec = podSpec;
  }

  /** The requests of one pod; of use only if the cursor's violations are empty then. */
  static ResourceList of(ObjectCursor podSpec) {
    try {
      return new PodRequests(podSpec).sum();
    } catch (InvalidValueException overflow) {
      podSpec.refuse("containers", "ask for too much: " + overflow.getMessage());
      return ResourceList.NONE;
    }
  }

  private ResourceList sum() {
    podSpec.requireEntries("containers");
    ResourceList containers = ResourceList.NONE;
    for (ResourceList one :
        podSpec.objects("containers", CONTAINERS_MAX, "a container", PodRequests::container)) {
      containers = containers.plus(one);
    }
    ResourceList sidecars = ResourceList.NONE;
    ResourceList before = ResourceList.NONE;
    for (Init init :
        podSpec.objects("initContainers", CONTAINERS_MAX, "a container", PodRequests::init)) {
      ResourceList running = sidecars.plus(init.requests());
      before = greater(before, running);
      if (init.sidecar()) {
        sidecars = running;
      }
    }
    ResourceList pods = ofPod(greater(containers.plus(sidecars), before));
    return pods.plus(podSpec.amounts("overhead"));
  }

  /** An init container. */
  private record Init(ResourceList requests, boolean sidecar) {}

  private static Init init(ObjectCursor container) {
    return new Init(container(container), "Always".equals(container.text("restartPolicy")));
  }

  private static ResourceList container(ObjectCursor container) {
    ObjectCursor resources = container.objectOrEmpty("resources", "a container's resources");
    return filled(resources.amounts("requests"), resources.amounts("limits"));
  }

  private ResourceList ofPod(ResourceList summed) {
    ObjectCursor resources = podSpec.object("resources", "a pod's resources");
    if (resources == null) {
      return summed;
    }
    return filled(filled(resources.amounts("requests"), summed), resources.amounts("limits"));
  }

  /** The first, and of what it does not name the second. */
  private static ResourceList filled(ResourceList named, ResourceList others) {
    TreeMap<ResourceName, Long> amounts = new TreeMap<>(others.amounts());
    amounts.putAll(named.amounts());
    return new ResourceList(amounts);
  }

  private static ResourceList greater(ResourceList one, ResourceList other) {
    TreeMap<ResourceName, Long> amounts = new TreeMap<>(one.amounts());
    other.amounts().forEach((resource, amount) -> amounts.merge(resource, amount, Math::max));
    return new ResourceList(amounts);
  }
}
