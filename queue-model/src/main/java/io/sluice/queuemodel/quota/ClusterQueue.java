// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.queuemodel.quota.policy.Ranking;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A queue with quota per flavor and resource, and policies.
 *
 * @param cohort null: it neither lends nor borrows
 */
public record ClusterQueue(
    ObjectMeta meta,
    @Nullable String cohort,
    List<ResourceGroup> resourceGroups,
    QueuePolicies policies)
    implements QuotaObject {
  public ClusterQueue {
    resourceGroups = List.copyOf(resourceGroups);
  }

  /**
   * The same with so much more nominal quota of a resource in a flavor. If no group covers the
   * resource, the group of the flavor covers it then; if there is no such group either, a new one.
   */
  public ClusterQueue withMore(String flavor, ResourceName resource, long amount) {
    List<ResourceGroup> groups = new ArrayList<>(resourceGroups);
    int at = 0;
    while (at < groups.size() && !groups.get(at).coveredResources().contains(resource)) {
      at++;
    }
    for (int other = 0; at == groups.size() && other < groups.size(); other++) {
      boolean has =
          groups.get(other).flavors().stream().anyMatch(one -> one.flavor().equals(flavor));
      if (has) {
        groups.set(other, groups.get(other).covering(resource));
        at = other;
      }
    }
    if (at == groups.size()) {
      ResourceQuota none = ResourceQuota.nominal(resource, 0);
      groups.add(
          new ResourceGroup(List.of(resource), List.of(new FlavorQuotas(flavor, List.of(none)))));
    }
    groups.set(at, groups.get(at).withMore(flavor, resource, amount));
    return new ClusterQueue(meta, cohort, groups, policies);
  }

  /** Returns the same with another queueing, in its policies and in its annotations. */
  public ClusterQueue withQueueing(Queueing queueing) {
    TreeMap<String, String> annotations = new TreeMap<>(meta.annotations().entries());
    annotations.put(Queueing.ANNOTATION, queueing.mode().word());
    if (queueing.plannedDepth() != 1 || annotations.containsKey(Queueing.DEPTH_ANNOTATION)) {
      annotations.put(Queueing.DEPTH_ANNOTATION, Integer.toString(queueing.plannedDepth()));
    }
    annotate(queueing.ranking(), annotations);
    return new ClusterQueue(
        new ObjectMeta(meta.namespace(), meta.name(), meta.labels(), Labels.of(annotations)),
        cohort,
        resourceGroups,
        policies.withQueueing(queueing));
  }

  /** Adds what differs from the present ranking, or from the default where nothing is said. */
  private void annotate(Ranking ranking, TreeMap<String, String> annotations) {
    Ranking present = policies.queueing().ranking();
    boolean weightSaid = annotations.containsKey(Ranking.WEIGHT_ANNOTATION);
    if (ranking.weightMilli() != (weightSaid ? present : Ranking.DEFAULT).weightMilli()) {
      annotations.put(Ranking.WEIGHT_ANNOTATION, ranking.weight());
    }
    boolean delaySaid = annotations.containsKey(Ranking.DELAY_ANNOTATION);
    if (!ranking.delayMax().equals((delaySaid ? present : Ranking.DEFAULT).delayMax())) {
      annotations.put(Ranking.DELAY_ANNOTATION, ranking.delayMax().toString());
    }
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.CLUSTER_QUEUE;
  }

  @Override
  public List<ObjectKey> references() {
    return Cohort.flavorsOf(resourceGroups);
  }

  @Override
  public <R> R fold(Fold<R> fold) {
    return fold.clusterQueue(this);
  }
}
