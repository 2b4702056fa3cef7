// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle.isolated;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.PodSet;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A search for places for pods of an attempt that holds quota, because nodes have come or were
 * lost.
 *
 * @param podSets all pod sets of the workload
 * @param lost names of unusable hosts; empty if the attempt waits for its first places
 * @param stays whether its pods cannot move to other hosts
 */
public record SecondPass(
    AttemptKey attempt, List<PodSet> podSets, SortedSet<String> lost, boolean stays) {
  public SecondPass {
    podSets = List.copyOf(podSets);
    lost = Collections.unmodifiableSortedSet(new TreeSet<>(lost));
  }
}
