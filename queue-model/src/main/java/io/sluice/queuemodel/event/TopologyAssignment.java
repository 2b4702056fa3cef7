// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.quantity.ResourceList;
import java.util.List;

/**
 * The number of pods of a pod set in each domain of a topology.
 *
 * @param levels the labels that the values of a domain are of: the host's alone where the topology
 *     goes down to hosts, else all
 * @param perPod what one pod takes of its host
 */
public record TopologyAssignment(List<String> levels, List<Domain> domains, ResourceList perPod) {
  public TopologyAssignment {
    levels = List.copyOf(levels);
    domains = List.copyOf(domains);
  }

  /** Pods in one domain. */
  public record Domain(List<String> values, int count) {
    public Domain {
      values = List.copyOf(values);
    }

    /** The value at the lowest level: the host's name where the topology goes down to hosts. */
    public String lowest() {
      return values.get(values.size() - 1);
    }
  }

  /** How many pods there are in all. */
  public int count() {
    int count = 0;
    for (Domain domain : domains) {
      count += domain.count();
    }
    return count;
  }
}
