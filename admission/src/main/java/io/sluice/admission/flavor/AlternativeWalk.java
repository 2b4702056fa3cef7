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
 * Looks for a flavor alternative by alternative, as the selectors of pods list them. Each filters
 * the flavors; inside it the queue's order and fungibility apply, and fungibility says too whether
 * what an alternative gives is good enough not to look at the next. When none is, the first that
 * gives anything is taken. As with the rungs of a class, where slices are asked for only the
 * flavors are filtered that they come from.
 */
final class AlternativeWalk {
  /** In place of an alternative where there are none: everything is permitted. */
  static final int NONE = -1;

  private final List<PodSet> podSets;
  private final int count;

  /** The alternatives of pod sets that are given the same flavors of a group of resources. */
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
   * The first that is good enough, else the first at all; null if there is none.
   *
   * @param look what an alternative gives, by its number; null: nothing
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

  /** Whether a flavor may do for all pod sets in an alternative; the last of fewer stands on. */
  boolean permits(int number, ResourceFlavor flavor) {
    return number == NONE || podSets.stream().allMatch(podSet -> permits(podSet, number, flavor));
  }

  /** Whether a flavor may do in any alternative. */
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
