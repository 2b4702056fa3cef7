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
 * What single cycles are told of jobs beside the state: who may have nobody evicted, who takes
 * whose place, and who are variants of one workload. The rounds of a server know none of these.
 */
public final class JobRelations {
  /**
   * One of several jobs of which one is to run, each on a flavor of its own.
   *
   * @param workload what they are variants of
   * @param flavor the only one that this may be given
   */
  public record Variant(String workload, String flavor) {}

  private final SortedSet<JobId> gated = new TreeSet<>();
  private final SortedMap<JobId, JobId> predecessors = new TreeMap<>();
  private final SortedMap<JobId, Variant> variants = new TreeMap<>();
  private final SortedMap<String, String> lastFlavors = new TreeMap<>();
  private final SortedSet<JobId> unchecked = new TreeSet<>();

  /** This job may have nobody evicted now, though it could. */
  public void gate(JobId job) {
    gated.add(job);
  }

  boolean isGated(JobId job) {
    return gated.contains(job);
  }

  /** When this job is admitted, its predecessor ends: on its flavors, with its quota. */
  public void succeed(JobId job, JobId predecessor) {
    predecessors.put(job, predecessor);
  }

  /** The attempt whose place a head takes; null if there is none in its queue. */
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

  /** No variant in a ClusterQueue makes another go for a flavor that comes after this one. */
  public void migrateUpTo(String clusterQueue, String flavor) {
    lastFlavors.put(clusterQueue, flavor);
  }

  @Nullable String lastFlavor(String clusterQueue) {
    return lastFlavors.get(clusterQueue);
  }

  /** This job holds quota and may not run yet, since something else is to be checked. */
  public void awaitChecks(JobId job) {
    unchecked.add(job);
  }

  boolean awaitsChecks(JobId job) {
    return unchecked.contains(job);
  }
}
