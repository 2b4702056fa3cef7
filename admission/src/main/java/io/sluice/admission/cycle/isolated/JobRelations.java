// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle.isolated;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.job.JobId;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Relations between jobs that single cycles use beside the state: preemption gates, predecessors,
 * and variants of a workload. The rounds of a server do not use them.
 */
public final class JobRelations {
  /**
   * One of several jobs of which only one is to run, each on its own flavor.
   *
   * @param workload name of the common workload
   * @param flavor the only flavor that this variant may use
   */
  public record Variant(String workload, String flavor) {}

  private final SortedSet<JobId> gated = new TreeSet<>();
  private final SortedMap<JobId, JobId> predecessors = new TreeMap<>();
  private final SortedMap<JobId, Variant> variants = new TreeMap<>();
  private final SortedMap<String, String> lastFlavors = new TreeMap<>();
  private final SortedSet<JobId> unchecked = new TreeSet<>();

  /** Gates a job: it may not preempt yet, although it has victims. */
  public void gate(JobId job) {
    gated.add(job);
  }

  boolean isGated(JobId job) {
    return gated.contains(job);
  }

  /**
   * Declares a successor: when the job is admitted, its predecessor ends and leaves it its quota.
   */
  public void succeed(JobId job, JobId predecessor) {
    predecessors.put(job, predecessor);
  }

  /** Returns the attempt that a head replaces; null if there is none in its queue. */
  @Nullable Attempt predecessor(AdmissionState state, JobEntry head) {
    JobId named = predecessors.get(head.id());
    JobEntry job = named == null ? null : state.findJob(named);
    return job == null || !job.queue().equals(head.queue()) || job.live().isEmpty()
        ? null
        : job.live().iterator().next();
  }

  public void vary(JobId job, Variant variant) {
    variants.put(job, variant);
  }

  @Nullable Variant variant(JobId job) {
    return variants.get(job);
  }

  /** Sets the last flavor, in the order of a ClusterQueue, to which its variants migrate. */
  public void migrateUpTo(String clusterQueue, String flavor) {
    lastFlavors.put(clusterQueue, flavor);
  }

  @Nullable String lastFlavor(String clusterQueue) {
    return lastFlavors.get(clusterQueue);
  }

  /** Declares that a job holds quota and waits for admission checks. */
  public void awaitChecks(JobId job) {
    unchecked.add(job);
  }

  boolean awaitsChecks(JobId job) {
    return unchecked.contains(job);
  }
}
