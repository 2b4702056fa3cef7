// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.pending;

import io.sluice.admission.ordering.UsageShare;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.PendingJobs;
import io.sluice.admission.state.fact.PendingMark;
import io.sluice.admission.state.record.SubmitterKey;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The pending jobs in queue order, in buckets of equal shape, equal rank delay and, where planned
 * starts bind them, equal stay. If the first job of a bucket does not fit, no later one does: they
 * have the same requests, would stay as long, and may not preempt more, because they are younger.
 * So the first job stands for its bucket, and the bucket is parked as a whole until room appears. A
 * {@link HeadPass} does the same for first jobs without a prospect. These marks are only an
 * optimization: a state without them makes the same decisions, more slowly.
 *
 * <p>A job with progress on its ladder, or with a planned start, has its own bucket, because its
 * options depend on them. Jobs of LocalQueues that limit the running jobs of a submitter have
 * separate buckets, one line for each submitter. A submitter at the limit is thus withheld with all
 * jobs at once, and blocks no other.
 */
public final class PendingIndex implements PendingJobs {
  /** Jobs represented by their first one. */
  private static final class Bucket implements PendingMark {
    private final JobBlocks jobs = new JobBlocks();
    private final @Nullable SubmitterKey submitter;
    private final boolean alone;
    private final long[] demand;
    private final long stay;
    private @Nullable KnownUse known;
    private boolean parked;
    private boolean withheld;

    /**
     * Creates an empty bucket.
     *
     * @param alone whether it is for one job, whose options depend on more than its shape
     */
    Bucket(@Nullable SubmitterKey submitter, boolean alone, long[] demand, long stay) {
      this.submitter = submitter;
      this.alone = alone;
      this.demand = demand;
      this.stay = stay;
    }

    boolean mayGet(Prospect prospect, int priority) {
      return prospect.allows(demand, 0, demand.length, stay, priority);
    }

    Bucket withheld(boolean now) {
      withheld = now;
      return this;
    }

    /** Returns the usage of its jobs when they fit, counted by the ledger; null if unknown. */
    @Nullable Usage knownUse(QuotaLedger ledger) {
      return known == null || known.ledger() != ledger ? null : known.usage();
    }
  }

  /** The usage of a job when it fits, counted for a ledger. */
  private record KnownUse(QuotaLedger ledger, Usage usage) {}

  /**
   * What the jobs of a bucket have in common.
   *
   * @param shape number of the shape
   * @param stay how long their attempts would stay; 0 if that does not matter
   * @param rankDelay rank delay in seconds
   */
  private record Kind(int shape, long stay, long rankDelay) {
    static Kind of(JobEntry job, long stay) {
      return new Kind(
          job.shape().number(), stay, job.workload().submitted().rankDelay().toSeconds());
    }
  }

  /** The buckets of one submitter, or of all submitters without a limit. */
  private static final class Line {
    final LinkedHashMap<Kind, Bucket> byKind = new LinkedHashMap<>();
    final TreeMap<JobEntry, Bucket> alone = new TreeMap<>();

    boolean isEmpty() {
      return byKind.isEmpty() && alone.isEmpty();
    }

    int size() {
      int count = alone.size();
      for (Bucket bucket : byKind.values()) {
        count += bucket.jobs.size();
      }
      return count;
    }

    int countBefore(JobEntry job) {
      int count = alone.headMap(job).size();
      for (Bucket bucket : byKind.values()) {
        count += bucket.jobs.countBefore(job);
      }
      return count;
    }
  }

  private static final long[] NO_DEMAND = {};

  private final Line unlimited = new Line();
  private final TreeMap<SubmitterKey, Line> limited = new TreeMap<>();
  private final Set<SubmitterKey> withheld = new TreeSet<>();
  private final HeadPass heads = new HeadPass();
  private final SortedMap<JobEntry, Bucket> parkedHeads = new TreeMap<>();
  private int size;

  /** The number of jobs with a rank delay. */
  private int ranked;

  /** The number of jobs with a compute class. */
  private int laddered;

  private static @Nullable Bucket bucketOf(JobEntry job) {
    return (Bucket) job.pendingMark();
  }

  @Override
  public @Nullable JobEntry head(QueueingStrategy strategy, Prospect prospect) {
    JobEntry head = heads.first(prospect);
    boolean blocked =
        head != null && strategy == QueueingStrategy.STRICT_FIFO && !head.equals(first());
    return blocked ? null : head;
  }

  /** See {@link HeadPass#lowerToLeast}. */
  public void lowerToHeads(long[] amounts, int from, int resources) {
    heads.lowerToLeast(amounts, from, resources);
  }

  @Override
  public @Nullable JobEntry first() {
    JobEntry head = heads.first();
    JobEntry parkedHead = parkedHeads.isEmpty() ? null : parkedHeads.firstKey();
    if (head == null || parkedHead == null) {
      return head == null ? parkedHead : head;
    }
    return parkedHead.compareTo(head) < 0 ? parkedHead : head;
  }

  @Override
  public List<JobEntry> firstOfShapes(Prospect prospect, int most) {
    List<JobEntry> found = heads.first(prospect, most);
    parkedHeads.entrySet().stream()
        .filter(head -> head.getValue().mayGet(prospect, head.getKey().priority()))
        .limit(most)
        .forEach(head -> found.add(head.getKey()));
    found.sort(null);
    return found.subList(0, Math.min(most, found.size()));
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public List<JobEntry> inOrder() {
    List<JobEntry> all = new ArrayList<>(size);
    addAll(unlimited, all);
    limited.values().forEach(line -> addAll(line, all));
    all.sort(null);
    return all;
  }

  @Override
  public List<Iterator<JobEntry>> lines(@Nullable JobEntry behind) {
    List<Iterator<JobEntry>> lines = new ArrayList<>();
    addLines(unlimited, behind, lines);
    limited.values().forEach(line -> addLines(line, behind, lines));
    return lines;
  }

  private static void addLines(
      Line line, @Nullable JobEntry behind, List<Iterator<JobEntry>> lines) {
    for (Bucket bucket : line.byKind.values()) {
      lines.add(behind == null ? bucket.jobs.iterator() : bucket.jobs.iteratorBehind(behind));
    }
    NavigableMap<JobEntry, Bucket> alone =
        behind == null ? line.alone : line.alone.tailMap(behind, false);
    lines.add(alone.keySet().iterator());
  }

  private static void addAll(Line line, List<JobEntry> all) {
    line.byKind.values().forEach(bucket -> bucket.jobs.forEach(all::add));
    all.addAll(line.alone.keySet());
  }

  /** Orders by priority and age alone. */
  @Override
  public Comparator<JobEntry> order() {
    return Comparator.naturalOrder();
  }

  @Override
  public Comparator<JobEntry> unranked() {
    return JobEntry.UNRANKED;
  }

  @Override
  public boolean ranks() {
    return ranked > 0;
  }

  /** Returns whether any job has a compute class, so that a trial of it may change its rung. */
  public boolean walksLadders() {
    return laddered > 0;
  }

  private static boolean walksLadder(JobEntry job) {
    return job.workload().shape().computeClass() != null;
  }

  private static boolean isRanked(JobEntry job) {
    return !job.workload().submitted().rankDelay().isZero();
  }

  @Override
  public @Nullable JobEntry firstOfShape(JobEntry job) {
    Bucket bucket = bucketOf(job);
    return bucket == null ? null : bucket.jobs.first();
  }

  @Override
  public boolean contains(JobEntry job) {
    return bucketOf(job) != null;
  }

  @Override
  public boolean withholds(JobEntry job) {
    Bucket bucket = bucketOf(job);
    return bucket != null && bucket.withheld;
  }

  @Override
  public boolean isParked(JobEntry job) {
    Bucket bucket = bucketOf(job);
    return bucket != null && (bucket.parked || isPassed(bucket));
  }

  /** Returns whether the first job of a bucket, and thus the bucket, was passed over. */
  private boolean isPassed(Bucket bucket) {
    return !bucket.parked && !bucket.withheld && heads.isPassed(bucket.jobs.first());
  }

  /** Returns the number of jobs that are not withheld. */
  int countTried() {
    int count = unlimited.size();
    for (Map.Entry<SubmitterKey, Line> entry : limited.entrySet()) {
      count += withheld.contains(entry.getKey()) ? 0 : entry.getValue().size();
    }
    return count;
  }

  @Override
  public int countBefore(JobEntry job) {
    int count = unlimited.countBefore(job);
    for (Map.Entry<SubmitterKey, Line> entry : limited.entrySet()) {
      count += withheld.contains(entry.getKey()) ? 0 : entry.getValue().countBefore(job);
    }
    return count;
  }

  @Override
  public void add(JobEntry job, @Nullable SubmitterKey submitter, long stay) {
    boolean alone = standsAlone(job);
    Bucket before = bucketOf(job);
    if (before != null) {
      if (before.alone == alone
          && before.stay == stay
          && Arrays.equals(before.demand, demand(job))
          && Objects.equals(before.submitter, submitter)) {
        return;
      }
      remove(job);
    }
    Bucket bucket = bucketFor(job, submitter, alone, stay);
    JobEntry oldHead = bucket.jobs.isEmpty() ? null : bucket.jobs.first();
    bucket.jobs.add(job, NO_DEMAND, stay);
    job.setPendingMark(bucket);
    size++;
    ranked += isRanked(job) ? 1 : 0;
    laddered += walksLadder(job) ? 1 : 0;
    if (bucket.jobs.first().equals(job)) {
      // A new first job may succeed where the old one could not.
      unregister(bucket, oldHead);
      bucket.parked = false;
      register(bucket);
    }
  }

  /** Options depend on progress on a ladder, and on a planned start. */
  private static boolean standsAlone(JobEntry job) {
    return !job.ladder().isEmpty() || job.planned() != null;
  }

  /** Returns what any admission of a job needs at least. With progress on a ladder, it is open. */
  private static long[] demand(JobEntry job) {
    return job.ladder().isEmpty() ? job.shape().demand() : NO_DEMAND;
  }

  private Bucket bucketFor(
      JobEntry job, @Nullable SubmitterKey submitter, boolean alone, long stay) {
    boolean full = submitter != null && withheld.contains(submitter);
    Line line =
        submitter == null ? unlimited : limited.computeIfAbsent(submitter, absent -> new Line());
    return alone
        ? line.alone.computeIfAbsent(
            job, absent -> new Bucket(submitter, true, demand(job), stay).withheld(full))
        : line.byKind.computeIfAbsent(
            Kind.of(job, stay),
            absent -> new Bucket(submitter, false, demand(job), stay).withheld(full));
  }

  @Override
  public void remove(JobEntry job) {
    Bucket bucket = bucketOf(job);
    if (bucket == null) {
      return;
    }
    boolean wasHead = bucket.jobs.first().equals(job);
    if (wasHead) {
      boolean passed = isPassed(bucket);
      unregister(bucket, job);
      // The next job may be behind the cursor, but has the same demand as one passed over.
      bucket.parked |= passed;
    }
    bucket.jobs.remove(job);
    job.setPendingMark(null);
    size--;
    ranked -= isRanked(job) ? 1 : 0;
    laddered -= walksLadder(job) ? 1 : 0;
    if (bucket.jobs.isEmpty()) {
      forget(bucket, job);
    } else if (wasHead) {
      register(bucket);
    }
  }

  private void forget(Bucket bucket, JobEntry last) {
    SubmitterKey submitter = bucket.submitter;
    Line line = submitter == null ? unlimited : limited.get(submitter);
    if (line != null && bucket.alone) {
      line.alone.remove(last);
    } else if (line != null) {
      line.byKind.remove(Kind.of(last, bucket.stay));
    }
    if (line != null && submitter != null && line.isEmpty()) {
      limited.remove(submitter);
    }
  }

  private void register(Bucket bucket) {
    if (!bucket.withheld) {
      if (bucket.parked) {
        parkedHeads.put(bucket.jobs.first(), bucket);
      } else {
        heads.add(bucket.jobs.first(), bucket.demand, bucket.stay);
      }
    }
  }

  private void unregister(Bucket bucket, @Nullable JobEntry head) {
    if (head != null && !bucket.withheld) {
      if (bucket.parked) {
        parkedHeads.remove(head);
      } else {
        heads.remove(head);
      }
    }
  }

  @Override
  public void withhold(SubmitterKey submitter, boolean full) {
    if (full ? !withheld.add(submitter) : !withheld.remove(submitter)) {
      return;
    }
    Line line = limited.get(submitter);
    if (line != null) {
      line.byKind.values().forEach(bucket -> withhold(bucket, full));
      line.alone.values().forEach(bucket -> withhold(bucket, full));
    }
  }

  private void withhold(Bucket bucket, boolean full) {
    unregister(bucket, bucket.jobs.first());
    bucket.withheld = full;
    bucket.parked = false;
    register(bucket);
  }

  @Override
  public void park(JobEntry head) {
    Bucket bucket = bucketOf(head);
    if (bucket != null && !bucket.parked && !bucket.withheld) {
      heads.remove(head);
      bucket.parked = true;
      parkedHeads.put(head, bucket);
    }
  }

  @Override
  public boolean passBefore(JobEntry head) {
    return heads.passBefore(head);
  }

  @Override
  public boolean passAll() {
    return heads.passAll();
  }

  @Override
  public void unpark() {
    heads.restart();
    parkedHeads.forEach(
        (head, bucket) -> {
          bucket.parked = false;
          heads.add(head, bucket.demand, bucket.stay);
        });
    parkedHeads.clear();
  }

  @Override
  public @Nullable Usage knownUse(JobEntry head, QuotaLedger ledger) {
    Bucket bucket = bucketOf(head);
    return bucket == null ? null : bucket.knownUse(ledger);
  }

  @Override
  public void noteUse(JobEntry head, QuotaLedger ledger, Usage usage) {
    Bucket bucket = bucketOf(head);
    if (bucket != null) {
      bucket.known = new KnownUse(ledger, usage);
    }
  }

  /**
   * Writes the demand of a pending job into an array; on a ladder it is zero.
   *
   * @param amounts receives the demands by number of resource, from an offset
   */
  public void copyDemand(JobEntry job, long[] amounts, int from) {
    long[] demand = demandOf(job);
    System.arraycopy(demand, 0, amounts, from, demand.length);
  }

  static long[] demandOf(JobEntry job) {
    Bucket bucket = bucketOf(job);
    return bucket == null ? NO_DEMAND : bucket.demand;
  }

  static long stayOf(JobEntry job) {
    Bucket bucket = bucketOf(job);
    return bucket == null ? 0 : bucket.stay;
  }

  @Override
  public boolean byUsage() {
    return false;
  }

  @Override
  public @Nullable UsageShare share(QueueKey localQueue) {
    return null;
  }

  /** The order does not depend on usage. */
  @Override
  public void reorder(QueueKey queue) {}

  /** The jobs of a LocalQueue are removed before it. */
  @Override
  public void forget(QueueKey queue) {}
}
