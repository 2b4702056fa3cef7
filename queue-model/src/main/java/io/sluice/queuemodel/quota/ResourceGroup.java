// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;

/** Resources that come from one flavor together, with the flavors in order of preference. */
public record ResourceGroup(List<ResourceName> coveredResources, List<FlavorQuotas> flavors) {
  public ResourceGroup {
    coveredResources = List.copyOf(coveredResources);
    flavors = List.copyOf(flavors);
  }

  /** The same covering one more resource, of which no flavor has any. */
  ResourceGroup covering(ResourceName resource) {
    List<ResourceName> covered = new ArrayList<>(coveredResources);
    covered.add(resource);
    List<FlavorQuotas> all = new ArrayList<>();
    for (FlavorQuotas flavor : flavors) {
      List<ResourceQuota> quotas = new ArrayList<>(flavor.resources());
      quotas.add(ResourceQuota.nominal(resource, 0));
      all.add(new FlavorQuotas(flavor.flavor(), quotas));
    }
    return new ResourceGroup(covered, all);
  }

  /** The same with so much more nominal quota of a resource in a flavor. */
  ResourceGroup withMore(String name, ResourceName resource, long amount) {
    List<FlavorQuotas> all = new ArrayList<>();
    for (FlavorQuotas flavor : flavors) {
      long before = 0;
      for (ResourceQuota quota : flavor.resources()) {
        before = quota.resource().equals(resource) ? quota.nominal() : before;
      }
      long sum = before > Long.MAX_VALUE - amount ? Long.MAX_VALUE : before + amount;
      all.add(flavor.flavor().equals(name) ? flavor.withNominal(resource, sum) : flavor);
    }
    return new ResourceGroup(coveredResources, all);
  }
}
