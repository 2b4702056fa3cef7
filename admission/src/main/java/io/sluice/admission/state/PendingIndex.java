// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state;

import io.sluice.queuemodel.quota.QueueingStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The pending jobs of one ClusterQueue, in buckets of equal shape. If the first of a bucket does
 * not fit, none behind it does: they ask for the same and may evict no more. So a bucket is tried
 * by its first, and parked as a whole until room appears. What is parked is forgotten, not
 * remembered: a state without the marks decides the same, only slower.
 *
 * <p>A job that has come some way on its ladder is a bucket of its own: what it may be given
 * depends on how far it came.
 */
public final class PendingIndex {
  private static final class Bucket {
    final TreeSet<JobEntry> jobs = new TreeSet<>();
    boolean parked;
  }

  private final TreeMap<Integer, Bucket> buckets = new TreeMap<>();
  private final TreeMap<JobEntry, Bucket> onLadders = new TreeMap<>();
  private final SortedMap<JobEntry, Bucket> heads = new TreeMap<>();
  private final SortedMap<JobEntry, Bucket> parkedHeads = new TreeMap<>();
  private int size;

  /**
   * The job to try next.
   *
   * @return null if every bucket is empty or parked, or with StrictFIFO if the first job is parked
   */
  public @Nullable JobEntry head(QueueingStrategy strategy) {
    if (heads.isEmpty()) {
      return null;
    }
    JobEntry first = heads.firstKey();
    boolean blocked =
        strategy == QueueingStrategy.STRICT_FIFO
            && !parkedHeads.isEmpty()
            && parkedHeads.firstKey().compareTo(first) < 0;
    return blocked ? null : first;
  }

  /** The first of all pending jobs in the order of the queue; null if there is none. */
  public @Nullable JobEntry first() {
    JobEntry head = heads.isEmpty() ? null : heads.firstKey();
    JobEntry parkedHead = parkedHeads.isEmpty() ? null : parkedHeads.firstKey();
    if (head == null || parkedHead == null) {
      return head == null ? parkedHead : head;
    }
    return parkedHead.compareTo(head) < 0 ? parkedHead : head;
  }

  /** Jobs that could be admitted if there were room. */
  public int size() {
    return size;
  }

  /** Whether a bucket is parked. */
  public boolean anyParked() {
    return !parkedHeads.isEmpty();
  }

  /** All pending jobs in the order of the queue. */
  public List<JobEntry> inOrder() {
    List<JobEntry> all = new ArrayList<>(size);
    buckets.values().forEach(bucket -> all.addAll(bucket.jobs));
    all.addAll(onLadders.keySet());
    all.sort(null);
    return all;
  }

  /** The first of the pending jobs that are tried as the given one is; null if none does. */
  public @Nullable JobEntry firstOfShape(JobEntry job) {
    Bucket bucket = bucketOf(job);
    return bucket == null || bucket.jobs.isEmpty() ? null : bucket.jobs.first();
  }

  /** Whether a job is pending. */
  boolean contains(JobEntry job) {
    Bucket bucket = bucketOf(job);
    return bucket != null && bucket.jobs.contains(job);
  }

  /** Whether a job is pending and left out until {@link #unpark}. */
  public boolean isParked(JobEntry job) {
    Bucket bucket = bucketOf(job);
    return bucket != null && bucket.parked && bucket.jobs.contains(job);
  }

  private @Nullable Bucket bucketOf(JobEntry job) {
    return job.ladder().isEmpty() ? buckets.get(job.shape()) : onLadders.get(job);
  }

  /** How many pending jobs stand before the given one. */
  public int countBefore(JobEntry job) {
    int count = onLadders.headMap(job).size();
    for (Bucket bucket : buckets.values()) {
      count += bucket.jobs.headSet(job).size();
    }
    return count;
  }

  void add(JobEntry job) {
    Bucket bucket =
        job.ladder().isEmpty()
            ? buckets.computeIfAbsent(job.shape(), absent -> new Bucket())
            : onLadders.computeIfAbsent(job, absent -> new Bucket());
    JobEntry oldHead = bucket.jobs.isEmpty() ? null : bucket.jobs.first();
    if (!bucket.jobs.add(job)) {
      return;
    }
    size++;
    if (bucket.jobs.first().equals(job)) {
      // A new first may do what the old one could not.
      unregister(bucket, oldHead);
      bucket.parked = false;
      heads.put(job, bucket);
    }
  }

  void remove(JobEntry job) {
    Bucket bucket = bucketOf(job);
    if (bucket == null || !bucket.jobs.contains(job)) {
      return;
    }
    boolean wasHead = bucket.jobs.first().equals(job);
    if (wasHead) {
      unregister(bucket, job);
    }
    bucket.jobs.remove(job);
    size--;
    if (bucket.jobs.isEmpty()) {
      if (job.ladder().isEmpty()) {
        buckets.remove(job.shape());
      } else {
        onLadders.remove(job);
      }
    } else if (wasHead) {
      (bucket.parked ? parkedHeads : heads).put(bucket.jobs.first(), bucket);
    }
  }

  private void unregister(Bucket bucket, @Nullable JobEntry head) {
    if (head != null) {
      (bucket.parked ? parkedHeads : heads).remove(head);
    }
  }

  /** Leaves the bucket of a head out until {@link #unpark}. */
  void park(JobEntry head) {
    Bucket bucket = heads.remove(head);
    if (bucket != null) {
      bucket.parked = true;
      parkedHeads.put(head, bucket);
    }
  }

  void unpark() {
    parkedHeads.forEach(
        (head, bucket) -> {
          bucket.parked = false;
          heads.put(head, bucket);
        });
    parkedHeads.clear();
  }
}
