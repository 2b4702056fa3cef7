// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import io.sluice.admission.ordering.UsageShare;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.policy.LabelSelector;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A ClusterQueue with its pending jobs and live attempts. Only the state changes it. */
public final class QueueState {
  /** The one label that a namespace has here: its name. */
  public static final String NAMESPACE_LABEL = "kubernetes.io/metadata.name";

  private ClusterQueue spec;
  private int node;
  private PendingJobs pending;
  private final SortedMap<AttemptKey, Attempt> live = new TreeMap<>();
  private final TreeMap<Integer, Integer> livePriorities = new TreeMap<>();
  private final SortedSet<JobEntry> claimants = new TreeSet<>();

  /**
   * A queue without jobs.
   *
   * @param pending an index that has no job yet
   */
  public QueueState(ClusterQueue spec, PendingJobs pending) {
    this.spec = spec;
    this.pending = pending;
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

  public PendingJobs pending() {
    return pending;
  }

  /** The attempts that use its quota, by key. */
  public Collection<Attempt> live() {
    return Collections.unmodifiableCollection(live.values());
  }

  /** The lowest priority of a live attempt of it; the largest integer if there is none. */
  public int lowestLivePriority() {
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
    boolean blocked = head != null && strict() && claimantBefore(head);
    return blocked ? null : head;
  }

  private boolean claimantBefore(JobEntry job) {
    JobEntry claimant = firstClaimant();
    return claimant != null && pending.order().compare(claimant, job) < 0;
  }

  private @Nullable JobEntry firstClaimant() {
    if (claimants.isEmpty()) {
      return null;
    }
    return servesByUsage() ? Collections.min(claimants, pending.order()) : claimants.first();
  }

  /** Whether the order of its jobs depends on what was used of late. */
  public boolean servesByUsage() {
    return pending.byUsage();
  }

  /** What one of its LocalQueues has used of late; null if that does not count in it. */
  public @Nullable UsageShare usageShare(QueueKey localQueue) {
    return pending.share(localQueue);
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
    JobEntry claimant = strict() ? firstClaimant() : null;
    if (claimant != null) {
      first = first == null || pending.order().compare(claimant, first) < 0 ? claimant : first;
    }
    return first == null || pending.order().compare(first, job) >= 0 ? null : first;
  }

  /**
   * How many jobs are tried before the given one, or block it while they wait for their victims.
   */
  public int countBefore(JobEntry job) {
    int count = pending.countBefore(job);
    if (strict()) {
      for (JobEntry claimant : claimants) {
        boolean before = pending.order().compare(claimant, job) < 0;
        count += before && !pending.contains(claimant) ? 1 : 0;
      }
    }
    return count;
  }

  /**
   * All that wait in it, in its order: pending jobs, and those that wait for their victims. Found
   * as they are asked for, each at the cost of a few comparisons; good until the state changes.
   *
   * @param behind only those behind this job, which need not wait any more; null: all
   */
  public Iterator<JobEntry> waiting(@Nullable JobEntry behind) {
    Comparator<JobEntry> order = pending.order();
    List<Iterator<JobEntry>> lines = pending.lines(behind);
    lines.add(
        claimants.stream()
            .filter(job -> !pending.contains(job))
            .filter(job -> behind == null || order.compare(job, behind) > 0)
            .iterator());
    return new InOrder(lines, order);
  }

  /** Whether those that must go first let a pending job of it be tried. */
  public boolean mayTry(JobEntry job) {
    boolean next = !strict() || (job.equals(pending.first()) && !claimantBefore(job));
    return next && !pending.withholds(job);
  }

  /** Whether it is open to a namespace; the only label of one here is its name. */
  public boolean selects(String namespace) {
    LabelSelector selector = spec.policies().namespaceSelector();
    return selector != null
        && selector.matches(Labels.of(Collections.singletonMap(NAMESPACE_LABEL, namespace)));
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

  public void setSpec(ClusterQueue changed) {
    spec = changed;
  }

  /** Takes another index, into which the pending jobs have yet to be entered. */
  public void setPending(PendingJobs other) {
    pending.inOrder().forEach(pending::remove);
    pending = other;
  }

  public void setNode(int number) {
    node = number;
  }

  public void setClaiming(JobEntry job) {
    if (job.claiming().isEmpty()) {
      claimants.remove(job);
    } else {
      claimants.add(job);
    }
  }

  /** Leaves a job out of those that claim, as when its place among them is about to change. */
  public void forgetClaiming(JobEntry job) {
    claimants.remove(job);
  }

  public void addLive(Attempt attempt) {
    live.put(attempt.key(), attempt);
    notePriority(attempt);
  }

  public void notePriority(Attempt attempt) {
    livePriorities.merge(attempt.job().workload().priority().value(), 1, Integer::sum);
  }

  public void removeLive(Attempt attempt) {
    live.remove(attempt.key());
    forgetPriority(attempt);
  }

  public void forgetPriority(Attempt attempt) {
    livePriorities.computeIfPresent(
        attempt.job().workload().priority().value(),
        (priority, attempts) -> attempts == 1 ? null : attempts - 1);
  }
}
