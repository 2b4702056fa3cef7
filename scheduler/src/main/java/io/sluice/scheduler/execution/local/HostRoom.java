// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.computeclasses.SelectedNodes;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.job.PodTemplate;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.local.PodPlanner.PodSetPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Accounts for the free capacity of hosts outside slices. Placement is first-fit in the order of
 * the fleet. Occupied amounts are kept by host name, so a host may shrink or vanish under its pods:
 * its free capacity is then negative until they end.
 */
final class HostRoom {
  /** Name of the only host if the fleet has none outside slices; it has unlimited capacity. */
  static final String IMPLICIT_HOST = "local";

  private final Map<String, Map<ResourceName, Long>> occupied = new HashMap<>();

  /** Returns the hosts outside slices; empty: there is only the implicit host. */
  static List<Host> hosts(Fleet fleet) {
    return fleet.hostsOutsideSlices();
  }

  /**
   * Places all pods of an attempt, without reserving capacity.
   *
   * @param hosts result of {@link #hosts}
   * @param reserved names of hosts that must not be used
   * @return empty if not all of them fit
   */
  Optional<List<PodPlan>> place(Launch launch, List<Host> hosts, Set<String> reserved) {
    Map<String, Map<ResourceName, Long>> planned = new HashMap<>();
    List<PodPlan> pods = new ArrayList<>();
    for (PodSetPlan plan : PodPlanner.podSets(launch)) {
      int ordinal = 0;
      for (Map.Entry<Labels, Integer> part : plan.parts()) {
        int at = 0; // a host too full for one pod of the part is too full for the next
        for (int placed = 0; placed < part.getValue(); placed++) {
          while (at < hosts.size()
              && !(hosts.get(at).labels().containsAll(part.getKey())
                  && fits(plan, hosts.get(at), reserved, planned))) {
            at++;
          }
          if (at == hosts.size() && !hosts.isEmpty()) {
            return Optional.empty();
          }
          String host = hosts.isEmpty() ? IMPLICIT_HOST : hosts.get(at).name();
          add(planned.computeIfAbsent(host, name -> new HashMap<>()), requests(plan), 1);
          pods.add(PodPlanner.onHost(launch, plan.podSet(), ordinal++, host));
        }
      }
    }
    return Optional.of(pods);
  }

  private boolean fits(
      PodSetPlan plan,
      Host host,
      Set<String> reserved,
      Map<String, Map<ResourceName, Long>> planned) {
    if (reserved.contains(host.name()) || !suits(plan, host)) {
      return false;
    }
    Map<ResourceName, Long> before = occupied.getOrDefault(host.name(), Map.of());
    Map<ResourceName, Long> now = planned.getOrDefault(host.name(), Map.of());
    for (Map.Entry<ResourceName, Long> request : requests(plan).amounts().entrySet()) {
      ResourceName resource = request.getKey();
      long free =
          host.capacity().get(resource)
              - before.getOrDefault(resource, 0L)
              - now.getOrDefault(resource, 0L);
      if (request.getValue() > 0 && request.getValue() > free) {
        return false;
      }
    }
    return true;
  }

  /** Returns the names of hosts on which the attempt's pods could be placed if they were free. */
  static Set<String> suitable(Launch launch, List<Host> hosts) {
    Set<String> suitable = new HashSet<>();
    for (PodSetPlan plan : PodPlanner.podSets(launch)) {
      hosts.stream().filter(host -> suits(plan, host)).map(Host::name).forEach(suitable::add);
    }
    return suitable;
  }

  private static boolean suits(PodSetPlan plan, Host host) {
    PodTemplate template = plan.podSet().template();
    return host.labels().containsAll(template.nodeSelector())
        && SelectedNodes.admit(template.affinity(), host.labels());
  }

  void occupy(List<PodPlan> pods) {
    pods.forEach(pod -> change(pod, 1));
  }

  void vacate(List<PodPlan> pods) {
    pods.forEach(pod -> change(pod, -1));
  }

  private void change(PodPlan pod, int sign) {
    Map<ResourceName, Long> amounts = occupied.computeIfAbsent(pod.host(), name -> new HashMap<>());
    add(amounts, pod.template().requests(), sign);
    amounts.values().removeIf(amount -> amount == 0);
    if (amounts.isEmpty()) {
      occupied.remove(pod.host());
    }
  }

  private static void add(Map<ResourceName, Long> amounts, ResourceList requests, int sign) {
    requests
        .amounts()
        .forEach((resource, amount) -> amounts.merge(resource, sign * amount, Long::sum));
  }

  private static ResourceList requests(PodSetPlan plan) {
    return plan.podSet().template().requests();
  }
}
