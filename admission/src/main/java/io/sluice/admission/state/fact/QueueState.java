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
import io.sluice.queuemodel.quota.policy.PreemptionPolicy;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.Queueing;
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
  /** The only label of a namespace here: its name. */
  public static final String NAMESPACE_LABEL = "kubernetes.io/metadata.name";

  private ClusterQueue spec;
  private int node;
  private PendingJobs pending;
  private final SortedMap<AttemptKey, Attempt> live = new TreeMap<>();
  private final TreeMap<Integer, Integer> livePriorities = new TreeMap<>();
  private final SortedSet<JobEntry> claimants = new TreeSet<>();
  private int plannedStarts;

  /**
   * Creates a queue without jobs.
   *
   * @param pending an empty index
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

  /** Returns its node in the quota tree. */
  public int node() {
    return node;
  }

  public PendingJobs pending() {
    return pending;
  }

  /** Returns the attempts that use its quota, by key. */
  public Collection<Attempt> live() {
    return Collections.unmodifiableCollection(live.values());
  }

  /** Returns the lowest priority of its live attempts; Integer.MAX_VALUE if there is none. */
  public int lowestLivePriority() {
    return livePriorities.isEmpty() ? Integer.MAX_VALUE : livePriorities.firstKey();
  }

  /** Returns its jobs that hold a claim. */
  public SortedSet<JobEntry> claimants() {
    return Collections.unmodifiableSortedSet(claimants);
  }

  /**
   * Returns the job to try next; null if none has a prospect. With StrictFIFO, a job that waits for
   * its victims blocks later jobs, like one that does not fit.
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

  /** Returns whether the order of its jobs depends on decayed usage. */
  public boolean servesByUsage() {
    return pending.byUsage();
  }

  /** Returns the share of a LocalQueue; null if usage does not count in this queue. */
  public @Nullable UsageShare usageShare(QueueKey localQueue) {
    return pending.share(localQueue);
  }

  /** Returns the number of its blocked jobs that get a planned start; 0 if it is not planned. */
  public int plannedDepth() {
    Queueing queueing = spec.policies().queueing();
    return queueing.isPlanned() ? queueing.plannedDepth() : 0;
  }

  /** Returns the number of its jobs that have a planned start. */
  public int plannedStarts() {
    return plannedStarts;
  }

  /**
   * Returns whether room in its nominal quota is held for a blocked head: others may borrow that
   * quota, and the queue may not always reclaim it.
   */
  public boolean holdsNominalQuota() {
    QueuePolicies policies = spec.policies();
    return spec.cohort() != null
        && !policies.queueing().isPlanned()
        && policies.preemption().reclaimWithinCohort() != PreemptionPolicy.ANY;
  }

  /** Returns whether more blocked jobs are to get a planned start. */
  public boolean wantsPlannedStarts() {
    int depth = plannedDepth();
    return depth > plannedStarts && pending.size() > plannedStarts;
  }

  /** Counts a planned start of one of its jobs, or no longer. */
  public void countPlannedStart(int more) {
    plannedStarts += more;
  }

  /** Returns whether the queue is StrictFIFO: no job passes a waiting one. */
  public boolean strict() {
    return spec.policies().queueingStrategy() == QueueingStrategy.STRICT_FIFO;
  }

  /**
   * Returns the first job that must be served before the given one: any earlier job with
   * StrictFIFO, else an earlier one of its shape. Null if there is none.
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
   * Returns the number of jobs that are tried before the given one, or that block it while they
   * wait for their victims.
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
   * Returns all waiting jobs in queue order: pending ones, and those that wait for their victims.
   * The iterator merges lazily, with a few comparisons per job, and is valid until the state
   * changes.
   *
   * @param behind returns only later jobs than this, which need not wait; null for all
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

  /** Returns whether earlier jobs and the submitter's limit let a pending job be tried. */
  public boolean mayTry(JobEntry job) {
    boolean next = !strict() || (job.equals(pending.first()) && !claimantBefore(job));
    return next && !pending.withholds(job);
  }

  /** Returns whether the queue admits jobs of a namespace, whose only label here is its name. */
  public boolean selects(String namespace) {
    LabelSelector selector = spec.policies().namespaceSelector();
    return selector != null
        && selector.matches(Labels.of(Collections.singletonMap(NAMESPACE_LABEL, namespace)));
  }

  /** Returns whether its stop policy permits admission. */
  public boolean admits() {
    return spec.policies().stopPolicy() == StopPolicy.NONE;
  }

  /** Returns the resource group that covers a resource; null if none does. */
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

  /** Replaces the index and clears the old one. The caller adds the pending jobs to the new one. */
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

  /** Removes a job from the claimants, also before its place in the queue changes. */
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
