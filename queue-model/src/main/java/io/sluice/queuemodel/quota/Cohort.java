// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.policy.FairWeight;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group of ClusterQueues and cohorts that lend to one another. A cohort that is only named, by a
 * queue or as a parent, exists without quota of its own and without a parent.
 *
 * @param fairWeight how large a share of its parent is fair for it
 */
public record Cohort(
    ObjectMeta meta,
    @Nullable String parent,
    List<ResourceGroup> resourceGroups,
    FairWeight fairWeight)
    implements QuotaObject {
  public Cohort {
    resourceGroups = List.copyOf(resourceGroups);
  }

  /** A cohort of weight 1. */
  public Cohort(ObjectMeta meta, @Nullable String parent, List<ResourceGroup> resourceGroups) {
    this(meta, parent, resourceGroups, FairWeight.ONE);
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.COHORT;
  }

  @Override
  public List<ObjectKey> references() {
    return flavorsOf(resourceGroups);
  }

  static List<ObjectKey> flavorsOf(List<ResourceGroup> groups) {
    List<ObjectKey> flavors = new ArrayList<>();
    for (ResourceGroup group : groups) {
      for (FlavorQuotas quotas : group.flavors()) {
        flavors.add(ObjectKey.of(ObjectKind.RESOURCE_FLAVOR, quotas.flavor()));
      }
    }
    return flavors;
  }

  @Override
  public <R> R fold(Fold<R> fold) {
    return fold.cohort(this);
  }
}
