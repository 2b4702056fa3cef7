// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.computeclasses.RungChoice;
import io.sluice.computeclasses.SelectedNodes;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Searches flavors by the alternatives of the pods' node selectors, in order. Each alternative
 * filters the flavors; within it, the queue's order and fungibility apply. Fungibility also decides
 * whether the result is good enough to stop; if none is, the first result wins. If the job requests
 * slices, only the flavors that provide them are filtered, as with the rungs of a class.
 */
final class AlternativeWalk {
  /** Number that stands for no alternative, which permits everything. */
  static final int NONE = -1;

  private final List<PodSet> podSets;
  private final int count;

  /**
   * Creates a walk over the alternatives of pod sets that share the flavors of a resource group.
   */
  AlternativeWalk(List<PodSet> podSets, WorkloadShape shape, ResourceGroup group) {
    this.podSets = podSets;
    this.count =
        RungChoice.filters(shape, group)
            ? podSets.stream()
                .mapToInt(podSet -> podSet.affinity().alternatives().size())
                .max()
                .orElse(0)
            : 0;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /**
   * Returns the first result that is good enough, else the first result; null if there is none.
   *
   * @param look returns the result of an alternative, by its number; null if none
   */
  <T> @Nullable T first(IntFunction<@Nullable T> look, Predicate<T> goodEnough) {
    if (isEmpty()) {
      return look.apply(NONE);
    }
    T remembered = null;
    for (int number = 0; number < count; number++) {
      T found = look.apply(number);
      if (found != null && goodEnough.test(found)) {
        return found;
      }
      remembered = remembered == null ? found : remembered;
    }
    return remembered;
  }

  /**
   * Returns whether a flavor suits all pod sets in an alternative. A pod set with fewer
   * alternatives uses its last.
   */
  boolean permits(int number, ResourceFlavor flavor) {
    return number == NONE || podSets.stream().allMatch(podSet -> permits(podSet, number, flavor));
  }

  /** Returns whether a flavor suits all pod sets in some alternative. */
  boolean permitsEver(ResourceFlavor flavor) {
    for (int number = 0; number < count; number++) {
      if (permits(number, flavor)) {
        return true;
      }
    }
    return isEmpty();
  }

  private static boolean permits(PodSet podSet, int number, ResourceFlavor flavor) {
    int last = podSet.affinity().alternatives().size() - 1;
    return last < 0
        || podSet
            .affinity()
            .permits(Math.min(number, last), SelectedNodes.seen(flavor.nodeLabels()));
  }
}
