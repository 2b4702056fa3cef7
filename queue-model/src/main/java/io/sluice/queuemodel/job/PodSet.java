// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quota.Toleration;
import java.util.List;

/**
 * Pods that are alike, as far as admission looks at them.
 *
 * @param count how many pods
 * @param requests of one pod
 */
public record PodSet(
    String name,
    int count,
    ResourceList requests,
    Labels nodeSelector,
    List<Toleration> tolerations) {
  public PodSet {
    tolerations = List.copyOf(tolerations);
  }

  /** The requests of all pods. */
  public ResourceList total() {
    return requests.times(count);
  }
}
