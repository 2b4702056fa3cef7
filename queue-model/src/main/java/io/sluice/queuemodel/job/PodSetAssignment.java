// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What admission gives a pod set.
 *
 * @param count how many pods
 * @param flavors the flavor of each resource
 * @param usage of all pods together
 */
public record PodSetAssignment(
    String name, int count, SortedMap<ResourceName, String> flavors, ResourceList usage) {
  public PodSetAssignment {
    flavors = Collections.unmodifiableSortedMap(new TreeMap<>(flavors));
  }
}
