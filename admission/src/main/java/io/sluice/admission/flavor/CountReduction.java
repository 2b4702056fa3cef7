// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.job.PodSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Looks for the most pods with which a workload gets something. All its pod sets shrink together,
 * from their counts to their least counts, in as many steps as the sum of both differs by; the
 * search halves the steps, so it takes for granted that fewer pods get no less.
 */
public final class CountReduction {
  private final List<PodSet> podSets;
  private final long steps;

  public CountReduction(List<PodSet> podSets) {
    this.podSets = List.copyOf(podSets);
    this.steps = podSets.stream().mapToLong(CountReduction::spare).sum();
  }

  /** The fewest pods with which the pod sets may do. */
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
   * What the function gives for the most pods for which it gives anything; empty if it never does,
   * or if no pod set may shrink.
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
