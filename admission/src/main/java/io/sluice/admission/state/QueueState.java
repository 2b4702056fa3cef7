// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.QueueingStrategy;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.StopPolicy;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A ClusterQueue with its pending jobs and live attempts. Only the state changes it. */
public final class QueueState {
  private ClusterQueue spec;
  private int node;
  private final PendingIndex pending = new PendingIndex();
  private final SortedMap<AttemptKey, Attempt> live = new TreeMap<>();
  private final TreeMap<Integer, Integer> livePriorities = new TreeMap<>();
  private final SortedSet<JobEntry> claimants = new TreeSet<>();

  QueueState(ClusterQueue spec) {
    this.spec = spec;
  }

  public ClusterQueue spec() {
    return spec;
  }

  public String name() {
    return spec.meta().name();
  }

  /** Its number in the quota tree. */
  public int node() {
    return node;
  }

  public PendingIndex pending() {
    return pending;
  }

  /** The attempts that use its quota, by key. */
  public Collection<Attempt> live() {
    return Collections.unmodifiableCollection(live.values());
  }

  /** The lowest priority of a live attempt of it; the largest integer if there is none. */
  int lowestLivePriority() {
    return livePriorities.isEmpty() ? Integer.MAX_VALUE : livePriorities.firstKey();
  }

  /** Jobs of it that hold a claim. */
  public SortedSet<JobEntry> claimants() {
    return Collections.unmodifiableSortedSet(claimants);
  }

  /**
   * The job to try next; null if there is none with a prospect. With StrictFIFO a job that waits
   * for its victims blocks those behind it, as one that does not fit does.
   */
  public @Nullable JobEntry head(Prospect prospect) {
    JobEntry head = pending.head(spec.policies().queueingStrategy(), prospect);
    boolean blocked =
        head != null && strict() && !claimants.isEmpty() && claimants.first().compareTo(head) < 0;
    return blocked ? null : head;
  }

  /** Whether nobody passes a job that waits. */
  public boolean strict() {
    return spec.policies().queueingStrategy() == QueueingStrategy.STRICT_FIFO;
  }

  /**
   * The first of those whom a round serves before the job or not at all: with StrictFIFO everybody
   * before it, else those before it who ask for the same. Null if it is the first itself.
   */
  public @Nullable JobEntry servedBefore(JobEntry job) {
    JobEntry first = strict() ? pending.first() : pending.firstOfShape(job);
    if (strict() && !claimants.isEmpty()) {
      JobEntry claimant = claimants.first();
      first = first == null || claimant.compareTo(first) < 0 ? claimant : first;
    }
    return first == null || first.compareTo(job) >= 0 ? null : first;
  }

  /**
   * How many jobs are tried before the given one, or block it while they wait for their victims.
   */
  public int countBefore(JobEntry job) {
    int count = pending.countBefore(job);
    if (strict()) {
      for (JobEntry claimant : claimants.headSet(job)) {
        count += pending.contains(claimant) ? 0 : 1;
      }
    }
    return count;
  }

  /**
   * All that wait in it, in its order: pending jobs, and those that wait for their victims. Found
   * as they are asked for; good until the state changes.
   */
  public Iterator<JobEntry> waiting() {
    List<Iterator<JobEntry>> lines = pending.lines();
    lines.add(claimants.stream().filter(job -> !pending.contains(job)).iterator());
    return new InOrder(lines);
  }

  /** Whether those that must go first let a pending job of it be tried. */
  public boolean mayTry(JobEntry job) {
    boolean behindClaimant = !claimants.isEmpty() && claimants.first().compareTo(job) < 0;
    boolean next = !strict() || (job.equals(pending.first()) && !behindClaimant);
    return next && !pending.withholds(job);
  }

  /** Whether its stop policy lets it admit. */
  public boolean admits() {
    return spec.policies().stopPolicy() == StopPolicy.NONE;
  }

  /** The group that covers a resource; null if none does. */
  public @Nullable ResourceGroup groupOf(ResourceName resource) {
    for (ResourceGroup group : spec.resourceGroups()) {
      if (group.coveredResources().contains(resource)) {
        return group;
      }
    }
    return null;
  }

  void setSpec(ClusterQueue changed) {
    spec = changed;
  }

  void setNode(int number) {
    node = number;
  }

  void setClaiming(JobEntry job) {
    if (job.claiming().isEmpty()) {
      claimants.remove(job);
    } else {
      claimants.add(job);
    }
  }

  /** Leaves a job out of those that claim, as when its place among them is about to change. */
  void forgetClaiming(JobEntry job) {
    claimants.remove(job);
  }

  void addLive(Attempt attempt) {
    live.put(attempt.key(), attempt);
    notePriority(attempt);
  }

  void notePriority(Attempt attempt) {
    livePriorities.merge(attempt.job().workload().priority().value(), 1, Integer::sum);
  }

  void removeLive(Attempt attempt) {
    live.remove(attempt.key());
    forgetPriority(attempt);
  }

  void forgetPriority(Attempt attempt) {
    livePriorities.computeIfPresent(
        attempt.job().workload().priority().value(),
        (priority, attempts) -> attempts == 1 ? null : attempts - 1);
  }
}
