// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.job.PodSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Binary search for the largest pod counts with which a workload is admissible, as in Kueue's
 * partial admission. All pod sets shrink together, from their counts to their minimum counts, in as
 * many steps as the difference of both sums. The search assumes that a smaller workload is
 * admissible if a larger one is.
 */
public final class CountReduction {
  private final List<PodSet> podSets;
  private final long steps;

  public CountReduction(List<PodSet> podSets) {
    this.podSets = List.copyOf(podSets);
    this.steps = podSets.stream().mapToLong(CountReduction::spare).sum();
  }

  /** Returns the pod sets with their minimum counts. */
  public static List<PodSet> least(List<PodSet> podSets) {
    return podSets.stream()
        .map(podSet -> podSet.withCount(Math.toIntExact(podSet.count() - spare(podSet))))
        .toList();
  }

  private static long spare(PodSet podSet) {
    Integer least = podSet.minCount();
    return least == null ? 0 : (long) podSet.count() - least;
  }

  /**
   * Returns the result for the largest counts that have one; empty if none has, or if no pod set
   * may shrink.
   */
  public <R> Optional<R> search(Function<List<PodSet>, Optional<R>> attempt) {
    Optional<R> found = Optional.empty();
    long low = 0;
    long high = steps == 0 ? 0 : steps + 1;
    while (low < high) {
      long middle = low + (high - low) / 2;
      Optional<R> here = attempt.apply(shrunk(middle));
      if (here.isPresent()) {
        found = here;
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return found;
  }

  private List<PodSet> shrunk(long step) {
    List<PodSet> shrunk = new ArrayList<>(podSets.size());
    for (PodSet podSet : podSets) {
      long less = spare(podSet) * step / steps;
      shrunk.add(podSet.withCount(Math.toIntExact(podSet.count() - less)));
    }
    return shrunk;
  }
}
