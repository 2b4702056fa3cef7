// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The flavors, counts and places that an admission gives a pod set.
 *
 * @param count how many pods
 * @param flavors the flavor of each resource
 * @param usage of all pods together
 * @param topology where they are; null: they are not placed, or not yet
 * @param delay of pods that are placed only when their nodes have come; null: they are not
 */
public record PodSetAssignment(
    String name,
    int count,
    SortedMap<ResourceName, String> flavors,
    ResourceList usage,
    @Nullable TopologyAssignment topology,
    @Nullable TopologyDelay delay) {
  public PodSetAssignment {
    flavors = Collections.unmodifiableSortedMap(new TreeMap<>(flavors));
  }

  /** An assignment of pods that are not placed. */
  public PodSetAssignment(
      String name, int count, SortedMap<ResourceName, String> flavors, ResourceList usage) {
    this(name, count, flavors, usage, null, null);
  }

  /**
   * The same with more or fewer pods: for each so many of them there were so many others.
   *
   * @throws ArithmeticException if they cannot be divided so
   */
  PodSetAssignment multiplied(int times, int dividedBy) {
    if (times == dividedBy) {
      return this;
    }
    if (count % dividedBy != 0 || topology != null) {
      throw new ArithmeticException(
          "%d pods of %s, placed or not, for %d of %d slices"
              .formatted(count, name, times, dividedBy));
    }
    int pods = Math.multiplyExact(count / dividedBy, times);
    TreeMap<ResourceName, Long> amounts = new TreeMap<>();
    usage
        .amounts()
        .forEach(
            (resource, amount) ->
                amounts.put(resource, Math.multiplyExact(amount / count, (long) pods)));
    return new PodSetAssignment(name, pods, flavors, new ResourceList(amounts), null, delay);
  }

  /** What a pod set is given, by its name; null if it is given nothing. */
  public static @Nullable PodSetAssignment find(List<PodSetAssignment> given, String podSet) {
    for (PodSetAssignment one : given) {
      if (one.name().equals(podSet)) {
        return one;
      }
    }
    return null;
  }

  /** The same with pods placed so. */
  public PodSetAssignment placed(TopologyAssignment where) {
    return new PodSetAssignment(
        name, count, flavors, usage, where, delay == null ? null : TopologyDelay.READY);
  }
}
