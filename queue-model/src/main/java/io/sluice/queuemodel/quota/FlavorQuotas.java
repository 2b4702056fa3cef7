// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import java.util.List;

/** The quota of one flavor, one entry a covered resource. */
public record FlavorQuotas(String flavor, List<ResourceQuota> resources) {
  public FlavorQuotas {
    resources = List.copyOf(resources);
  }
}
