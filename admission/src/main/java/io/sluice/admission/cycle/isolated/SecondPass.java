// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle.isolated;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.PodSet;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * An attempt that holds quota, of which pods look for places: because nodes have come for them, or
 * because they lost theirs.
 *
 * @param podSets all of its workload
 * @param lost names of hosts that are of no use any more; none: it waits for its first places
 * @param stays whether its pods cannot go to other hosts
 */
public record SecondPass(
    AttemptKey attempt, List<PodSet> podSets, SortedSet<String> lost, boolean stays) {
  public SecondPass {
    podSets = List.copyOf(podSets);
    lost = Collections.unmodifiableSortedSet(new TreeSet<>(lost));
  }
}
