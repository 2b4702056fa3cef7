// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.quota;

import io.sluice.queuemodel.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Dense numbers for pairs of flavor and resource, from 0 in order of first use, so that quota and
 * usage are arrays of longs.
 */
public final class FlavorResources {
  /** A resource of a flavor. */
  public record Pair(String flavor, ResourceName resource) {
    @Override
    public String toString() {
      return resource + " of " + flavor;
    }
  }

  private final TreeMap<String, TreeMap<ResourceName, Integer>> numbers = new TreeMap<>();
  private final List<Pair> pairs = new ArrayList<>();

  int intern(String flavor, ResourceName resource) {
    return numbers
        .computeIfAbsent(flavor, absent -> new TreeMap<>())
        .computeIfAbsent(
            resource,
            absent -> {
              pairs.add(new Pair(flavor, resource));
              return pairs.size() - 1;
            });
  }

  /** Returns the pair's number, or -1 if no quota names it. */
  public int find(String flavor, ResourceName resource) {
    TreeMap<ResourceName, Integer> ofFlavor = numbers.get(flavor);
    return ofFlavor == null ? -1 : ofFlavor.getOrDefault(resource, -1);
  }

  public Pair pair(int number) {
    return pairs.get(number);
  }

  public int size() {
    return pairs.size();
  }
}
