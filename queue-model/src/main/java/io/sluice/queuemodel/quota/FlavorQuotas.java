// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;

/** The quota of one flavor, one entry a covered resource. */
public record FlavorQuotas(String flavor, List<ResourceQuota> resources) {
  public FlavorQuotas {
    resources = List.copyOf(resources);
  }

  /** The same with another nominal quota of a resource. */
  public FlavorQuotas withNominal(ResourceName resource, long nominal) {
    return new FlavorQuotas(
        flavor,
        resources.stream()
            .map(
                quota ->
                    quota.resource().equals(resource)
                        ? new ResourceQuota(
                            resource, nominal, quota.borrowingLimit(), quota.lendingLimit())
                        : quota)
            .toList());
  }
}
