// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.pending;

import io.sluice.admission.ordering.UsageShare;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.PendingJobs;
import io.sluice.admission.state.record.SubmitterKey;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pending jobs of a ClusterQueue with admission fair sharing: jobs of the LocalQueue with the
 * smallest share first; with equal shares, by priority and age.
 *
 * <p>Ideally, each change of usage would sort all jobs again. But usage never changes the order
 * within a LocalQueue. So each LocalQueue has its own index, the LocalQueues are sorted by share,
 * and only their heads are compared. An admission moves one LocalQueue; a sample moves all. Neither
 * cost depends on the number of pending jobs.
 */
public final class PendingByUsage implements PendingJobs {
  /** The pending jobs of one LocalQueue. */
  private static final class Lane {
    final QueueKey queue;
    final PendingIndex jobs = new PendingIndex();
    UsageShare share;

    Lane(QueueKey queue, UsageShare share) {
      this.queue = queue;
      this.share = share;
    }
  }

  private static final Comparator<Lane> BY_SHARE =
      Comparator.comparing((Lane lane) -> lane.share).thenComparing(lane -> lane.queue);

  private final Function<QueueKey, UsageShare> shares;
  private final Supplier<Instant> lastSample;
  private final TreeMap<QueueKey, Lane> lanes = new TreeMap<>();
  private final TreeSet<Lane> byShare = new TreeSet<>(BY_SHARE);
  private Instant sampledAt = Instant.MIN;

  /**
   * Creates an empty index.
   *
   * @param shares returns the share of a LocalQueue as of the last sample
   * @param lastSample returns the time of the last sample
   */
  public PendingByUsage(Function<QueueKey, UsageShare> shares, Supplier<Instant> lastSample) {
    this.shares = shares;
    this.lastSample = lastSample;
  }

  /** Returns the lanes by share as of the last sample, smallest first. */
  private SortedSet<Lane> sampled() {
    Instant sample = lastSample.get();
    if (!sample.equals(sampledAt)) {
      sampledAt = sample;
      byShare.clear();
      for (Lane lane : lanes.values()) {
        lane.share = shares.apply(lane.queue);
        byShare.add(lane);
      }
    }
    return byShare;
  }

  private Lane lane(QueueKey queue) {
    Lane known = lanes.get(queue);
    if (known == null) {
      SortedSet<Lane> others = sampled();
      known = new Lane(queue, shares.apply(queue));
      lanes.put(queue, known);
      others.add(known);
    }
    return known;
  }

  private Lane laneOf(JobEntry job) {
    return lane(job.workload().queue());
  }

  @Override
  public void reorder(QueueKey queue) {
    Lane known = lanes.get(queue);
    if (known != null) {
      byShare.remove(known);
      known.share = shares.apply(queue);
      byShare.add(known);
    }
  }

  @Override
  public @Nullable Usage knownUse(JobEntry head, QuotaLedger ledger) {
    return laneOf(head).jobs.knownUse(head, ledger);
  }

  @Override
  public void noteUse(JobEntry head, QuotaLedger ledger, Usage usage) {
    laneOf(head).jobs.noteUse(head, ledger, usage);
  }

  @Override
  public boolean byUsage() {
    return true;
  }

  @Override
  public UsageShare share(QueueKey localQueue) {
    return shares.apply(localQueue);
  }

  @Override
  public void forget(QueueKey queue) {
    Lane known = lanes.remove(queue);
    if (known != null) {
      byShare.remove(known);
    }
  }

  @Override
  public @Nullable JobEntry head(QueueingStrategy strategy, Prospect prospect) {
    JobEntry head = firstOfLanes(lane -> lane.head(QueueingStrategy.BEST_EFFORT_FIFO, prospect));
    boolean blocked =
        head != null && strategy == QueueingStrategy.STRICT_FIFO && !head.equals(first());
    return blocked ? null : head;
  }

  @Override
  public List<JobEntry> firstOfShapes(Prospect prospect, int most) {
    List<JobEntry> found = new ArrayList<>();
    lanes.values().forEach(lane -> found.addAll(lane.jobs.firstOfShapes(prospect, most)));
    found.sort(order());
    return found.subList(0, Math.min(most, found.size()));
  }

  @Override
  public @Nullable JobEntry first() {
    return firstOfLanes(PendingIndex::first);
  }

  /** Selects the candidate of a lane. */
  private interface Offer {
    @Nullable JobEntry of(PendingIndex jobs);
  }

  /** Returns the first candidate, by priority and age, among the lanes with the smallest share. */
  private @Nullable JobEntry firstOfLanes(Offer offer) {
    JobEntry first = null;
    UsageShare smallest = null;
    for (Lane lane : sampled()) {
      if (smallest != null && lane.share.compareTo(smallest) > 0) {
        break;
      }
      JobEntry offered = offer.of(lane.jobs);
      if (offered != null) {
        smallest = lane.share;
        first = first == null || offered.compareTo(first) < 0 ? offered : first;
      }
    }
    return first;
  }

  @Override
  public int size() {
    return lanes.values().stream().mapToInt(lane -> lane.jobs.size()).sum();
  }

  @Override
  public List<JobEntry> inOrder() {
    List<JobEntry> all = new ArrayList<>();
    lanes.values().forEach(lane -> all.addAll(lane.jobs.inOrder()));
    all.sort(order());
    return all;
  }

  @Override
  public List<Iterator<JobEntry>> lines(@Nullable JobEntry behind) {
    List<Iterator<JobEntry>> lines = new ArrayList<>();
    sampled();
    UsageShare share = behind == null ? null : shareOf(behind.workload().queue());
    for (Lane lane : lanes.values()) {
      int side = share == null ? 1 : lane.share.compareTo(share);
      if (side >= 0) {
        lines.addAll(lane.jobs.lines(side > 0 ? null : behind));
      }
    }
    return lines;
  }

  @Override
  public Comparator<JobEntry> order() {
    return Comparator.comparing((JobEntry job) -> share(job))
        .thenComparing(Comparator.naturalOrder());
  }

  @Override
  public boolean ranks() {
    return lanes.values().stream().anyMatch(lane -> lane.jobs.ranks());
  }

  @Override
  public Comparator<JobEntry> unranked() {
    return Comparator.comparing((JobEntry job) -> share(job)).thenComparing(JobEntry.UNRANKED);
  }

  /** Returns the share of a LocalQueue, which need not have pending jobs. */
  private UsageShare shareOf(QueueKey queue) {
    Lane known = lanes.get(queue);
    return known == null ? shares.apply(queue) : known.share;
  }

  /** Returns the share that orders a job, which need not be pending. */
  private UsageShare share(JobEntry job) {
    sampled();
    return laneOf(job).share;
  }

  @Override
  public @Nullable JobEntry firstOfShape(JobEntry job) {
    return laneOf(job).jobs.firstOfShape(job);
  }

  @Override
  public boolean contains(JobEntry job) {
    return laneOf(job).jobs.contains(job);
  }

  @Override
  public boolean withholds(JobEntry job) {
    return laneOf(job).jobs.withholds(job);
  }

  @Override
  public boolean isParked(JobEntry job) {
    return laneOf(job).jobs.isParked(job);
  }

  @Override
  public int countBefore(JobEntry job) {
    UsageShare own = share(job);
    int count = 0;
    for (Lane lane : byShare) {
      int side = lane.share.compareTo(own);
      if (side > 0) {
        break;
      }
      count += side < 0 ? lane.jobs.countTried() : lane.jobs.countBefore(job);
    }
    return count;
  }

  @Override
  public void add(JobEntry job, @Nullable SubmitterKey submitter, long stay) {
    laneOf(job).jobs.add(job, submitter, stay);
  }

  @Override
  public void remove(JobEntry job) {
    laneOf(job).jobs.remove(job);
  }

  @Override
  public void withhold(SubmitterKey submitter, boolean full) {
    lane(submitter.queue()).jobs.withhold(submitter, full);
  }

  @Override
  public void park(JobEntry head) {
    laneOf(head).jobs.park(head);
  }

  @Override
  public boolean passBefore(JobEntry head) {
    UsageShare own = share(head);
    boolean any = false;
    for (Lane lane : byShare) {
      int side = lane.share.compareTo(own);
      if (side > 0) {
        break;
      }
      any |= side < 0 ? lane.jobs.passAll() : lane.jobs.passBefore(head);
    }
    return any;
  }

  @Override
  public boolean passAll() {
    boolean any = false;
    for (Lane lane : lanes.values()) {
      any |= lane.jobs.passAll();
    }
    return any;
  }

  @Override
  public void unpark() {
    lanes.values().forEach(lane -> lane.jobs.unpark());
  }
}
