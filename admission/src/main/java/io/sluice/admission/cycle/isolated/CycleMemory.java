// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle.isolated;

import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.ScanPositions;
import io.sluice.queuemodel.job.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What single cycles know of jobs beside the state, and remember for each other. */
public final class CycleMemory {
  private final SortedMap<JobId, ScanPositions> positions = new TreeMap<>();
  private final SortedMap<JobId, HeadOutcome> outcomes = new TreeMap<>();
  private final SortedMap<JobId, FlavorAssignment> assignments = new TreeMap<>();
  private final List<SecondPass> secondPasses = new ArrayList<>();
  private final JobRelations relations;

  /** Nothing is remembered yet. */
  public CycleMemory(JobRelations relations) {
    this.relations = relations;
  }

  /** Lets attempts look for places in the next cycle. */
  public void addSecondPasses(List<SecondPass> passes) {
    secondPasses.addAll(passes);
  }

  List<SecondPass> takeSecondPasses() {
    List<SecondPass> taken = List.copyOf(secondPasses);
    secondPasses.clear();
    return taken;
  }

  JobRelations relations() {
    return relations;
  }

  void note(JobId job, HeadOutcome outcome, FlavorAssignment assignment) {
    outcomes.put(job, outcome);
    assignments.put(job, assignment);
  }

  /** What came of a job that was a head, when it was the last time; null if it was none. */
  public @Nullable HeadOutcome outcome(JobId job) {
    return outcomes.get(job);
  }

  /** What was found for a job that was a head, when it was the last time; null if it was none. */
  public @Nullable FlavorAssignment assignment(JobId job) {
    return assignments.get(job);
  }

  /** Where a job's search through the flavors goes on; it is forgotten with that. */
  ScanPositions takePositions(JobId job) {
    ScanPositions known = positions.remove(job);
    return known == null ? ScanPositions.START : known;
  }

  void remember(JobId job, ScanPositions reached) {
    positions.put(job, reached);
  }

  /** Lets the search of jobs begin anew, because quota came or changed. */
  public void forgetPositions(Predicate<JobId> jobs) {
    positions.keySet().removeIf(jobs);
  }
}
