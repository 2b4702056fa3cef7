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

  /** Jobs of it that hold a claim. */
  public SortedSet<JobEntry> claimants() {
    return Collections.unmodifiableSortedSet(claimants);
  }

  /**
   * The job to try next; null if there is none. With StrictFIFO a job that waits for its victims
   * blocks those behind it, as one that does not fit does.
   */
  public @Nullable JobEntry head() {
    QueueingStrategy strategy = spec.policies().queueingStrategy();
    JobEntry head = pending.head(strategy);
    boolean blocked =
        head != null
            && strategy == QueueingStrategy.STRICT_FIFO
            && !claimants.isEmpty()
            && claimants.first().compareTo(head) < 0;
    return blocked ? null : head;
  }

  /** Whether those that must go first let a pending job of it be tried. */
  public boolean mayTry(JobEntry job) {
    boolean strict = spec.policies().queueingStrategy() == QueueingStrategy.STRICT_FIFO;
    boolean behindClaimant = !claimants.isEmpty() && claimants.first().compareTo(job) < 0;
    return !strict || (job.equals(pending.first()) && !behindClaimant);
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

  void addLive(Attempt attempt) {
    live.put(attempt.key(), attempt);
  }

  void removeLive(Attempt attempt) {
    live.remove(attempt.key());
  }
}
