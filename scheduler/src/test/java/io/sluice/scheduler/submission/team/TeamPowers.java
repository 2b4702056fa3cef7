// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission.team;

import io.sluice.admission.quota.QuotaTree;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePreemption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What a team can do with its part of a quota tree, found by trying: its queues are filled until
 * nothing more fits, beside a neighbour with plenty of quota; then the neighbour is filled while
 * the team is idle. It shares no code with the check of edits but the quota accounts of the engine.
 *
 * @param nominal the sum of the nominal quota of its nodes, by flavor
 * @param used what its queues use when they are full, by flavor
 * @param taken what the neighbour then lacks of the quota that is not the team's, by flavor
 * @param withheld what the neighbour lacks of all quota of their tree while the team is idle, by
 *     flavor
 */
record TeamPowers(
    Map<String, Long> nominal,
    Map<String, Long> used,
    Map<String, Long> taken,
    Map<String, Long> withheld,
    PreemptionPolicy reclaim,
    PreemptionPolicy borrow,
    Duration minRunTime,
    int plannedStarts) {

  static TeamPowers of(Collection<QuotaObject> objects, String root, String neighbour, String top) {
    List<ClusterQueue> queues = of(ClusterQueue.class, objects);
    List<Cohort> cohorts = of(Cohort.class, objects);
    Map<String, String> parents = parents(cohorts);
    List<ClusterQueue> own = new ArrayList<>();
    Map<String, Long> nominal = new TreeMap<>();
    Map<String, Long> all = new TreeMap<>();
    for (ClusterQueue queue : queues) {
      boolean isOwn = queue.cohort() != null && isUnder(queue.cohort(), root, parents);
      if (isOwn) {
        own.add(queue);
        sum(queue.resourceGroups(), nominal);
      }
      if (queue.cohort() != null && isUnder(queue.cohort(), top, parents)) {
        sum(queue.resourceGroups(), all);
      }
    }
    for (Cohort cohort : cohorts) {
      if (isUnder(cohort.meta().name(), root, parents)) {
        sum(cohort.resourceGroups(), nominal);
      }
      if (isUnder(cohort.meta().name(), top, parents)) {
        sum(cohort.resourceGroups(), all);
      }
    }
    QuotaTree tree = new QuotaTree(queues, cohorts, List.of());
    List<ClusterQueue> other =
        queues.stream().filter(queue -> queue.meta().name().equals(neighbour)).toList();
    QuotaUsage usage = new QuotaUsage(tree);
    Map<String, Long> used = fill(usage, own);
    Map<String, Long> taken = new TreeMap<>(all);
    nominal.forEach((flavor, amount) -> taken.merge(flavor, -amount, Long::sum));
    fill(usage, other).forEach((flavor, amount) -> taken.merge(flavor, -amount, Long::sum));
    Map<String, Long> withheld = new TreeMap<>(all);
    fill(new QuotaUsage(tree), other)
        .forEach((flavor, amount) -> withheld.merge(flavor, -amount, Long::sum));
    return new TeamPowers(
        nominal,
        used,
        taken,
        withheld,
        strongest(own, QueuePreemption::reclaimWithinCohort),
        strongest(own, QueuePreemption::borrowWithinCohort),
        longestRunTime(own),
        own.stream()
            .map(queue -> queue.policies().queueing())
            .mapToInt(queueing -> queueing.isPlanned() ? queueing.plannedDepth() : 0)
            .sum());
  }

  private static Map<String, String> parents(List<Cohort> cohorts) {
    Map<String, String> parents = new TreeMap<>();
    for (Cohort cohort : cohorts) {
      if (cohort.parent() != null) {
        parents.put(cohort.meta().name(), cohort.parent());
      }
    }
    return parents;
  }

  private static Duration longestRunTime(List<ClusterQueue> queues) {
    return queues.stream()
        .map(queue -> queue.policies().preemption().minRunTime())
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  private static PreemptionPolicy strongest(
      List<ClusterQueue> queues, Function<QueuePreemption, PreemptionPolicy> policy) {
    return queues.stream()
        .map(queue -> policy.apply(queue.policies().preemption()))
        .max(PreemptionPolicy::compareTo)
        .orElse(PreemptionPolicy.NEVER);
  }

  private static <T> List<T> of(Class<T> type, Collection<QuotaObject> objects) {
    return objects.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static boolean isUnder(String cohort, String root, Map<String, String> parents) {
    for (String at = cohort; at != null; at = parents.get(at)) {
      if (at.equals(root)) {
        return true;
      }
    }
    return false;
  }

  private static void sum(List<ResourceGroup> groups, Map<String, Long> sums) {
    for (ResourceGroup group : groups) {
      for (FlavorQuotas flavor : group.flavors()) {
        for (ResourceQuota quota : flavor.resources()) {
          sums.merge(flavor.flavor(), quota.nominal(), Long::sum);
        }
      }
    }
  }

  /** Fills queues one after another, again and again until nothing more fits. */
  private static Map<String, Long> fill(QuotaUsage usage, List<ClusterQueue> queues) {
    Map<String, Long> used = new TreeMap<>();
    QuotaTree tree = usage.tree();
    boolean fits = true;
    while (fits) {
      fits = false;
      for (ClusterQueue queue : queues) {
        int node = tree.node(queue.meta().name());
        for (int number = 0; number < tree.flavorResources().size(); number++) {
          long room = tree.names(node, number) ? usage.available(node, number) : 0;
          if (room > 0) {
            usage.add(node, number, room);
            used.merge(tree.flavorResources().pair(number).flavor(), room, Long::sum);
            fits = true;
          }
        }
      }
    }
    return used;
  }
}
