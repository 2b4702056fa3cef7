// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.quantity.ResourceList;
import java.util.List;

/**
 * A machine that runs processes: a node, or a virtual host of this machine.
 *
 * @param taints who does not tolerate them stays away
 */
public record Host(String name, Labels labels, ResourceList capacity, List<Taint> taints) {
  public Host {
    taints = List.copyOf(taints);
  }

  /** A host that is open to all. */
  public Host(String name, Labels labels, ResourceList capacity) {
    this(name, labels, capacity, List.of());
  }
}
