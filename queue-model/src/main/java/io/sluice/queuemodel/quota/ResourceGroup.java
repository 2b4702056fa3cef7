// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;

/** Resources that are given from one flavor together, and the flavors in the order of choice. */
public record ResourceGroup(List<ResourceName> coveredResources, List<FlavorQuotas> flavors) {
  public ResourceGroup {
    coveredResources = List.copyOf(coveredResources);
    flavors = List.copyOf(flavors);
  }
}
