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

/** Facts about jobs that single cycles pass on to later ones, outside the engine's state. */
public final class CycleMemory {
  private final SortedMap<JobId, ScanPositions> positions = new TreeMap<>();
  private final SortedMap<JobId, HeadOutcome> outcomes = new TreeMap<>();
  private final SortedMap<JobId, FlavorAssignment> assignments = new TreeMap<>();
  private final List<SecondPass> secondPasses = new ArrayList<>();
  private final JobRelations relations;

  /** Creates an empty memory. */
  public CycleMemory(JobRelations relations) {
    this.relations = relations;
  }

  /** Adds second passes to the next cycle. */
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

  /** Returns the outcome of a job's last turn as head that did not admit it; null if none. */
  public @Nullable HeadOutcome outcome(JobId job) {
    return outcomes.get(job);
  }

  /** Returns the flavors of a job's last turn as head that did not admit it; null if none. */
  public @Nullable FlavorAssignment assignment(JobId job) {
    return assignments.get(job);
  }

  /** Removes and returns the position from which a job's flavor search continues. */
  ScanPositions takePositions(JobId job) {
    ScanPositions known = positions.remove(job);
    return known == null ? ScanPositions.START : known;
  }

  void remember(JobId job, ScanPositions reached) {
    positions.put(job, reached);
  }

  /** Restarts the flavor search of jobs after quota was added or changed. */
  public void forgetPositions(Predicate<JobId> jobs) {
    positions.keySet().removeIf(jobs);
  }
}
