// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import io.sluice.admission.ordering.UsageShare;
import io.sluice.admission.state.record.SubmitterKey;
import io.sluice.admission.state.usage.Prospect;
import io.sluice.admission.state.usage.QuotaLedger;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pending jobs of one ClusterQueue, in the order in which they are tried. Jobs of which nothing
 * can come are left out, with all that ask for the same, until room appears: parked if they were
 * tried in vain, passed over if they have no {@link Prospect}.
 */
public interface PendingJobs {
  /**
   * The job to try next.
   *
   * @return null if none is left that is not left out and has a prospect, or with StrictFIFO if the
   *     first job is not
   */
  @Nullable JobEntry head(QueueingStrategy strategy, Prospect prospect);

  /** The first of all pending jobs that may be tried; null if there is none. */
  @Nullable JobEntry first();

  /** Jobs that could be admitted if there were room. */
  int size();

  /** All pending jobs in the order of the queue. */
  List<JobEntry> inOrder();

  /** Who stands before whom, as of now. */
  Comparator<JobEntry> order();

  /** The first of the pending jobs that are tried as the given one is; null if none is. */
  @Nullable JobEntry firstOfShape(JobEntry job);

  /** Whether a job is pending. */
  boolean contains(JobEntry job);

  /** Whether a job is pending and its submitter may run no more. */
  boolean withholds(JobEntry job);

  /** Whether a job is pending and left out until {@link #unpark}. */
  boolean isParked(JobEntry job);

  /** How many pending jobs that may be tried stand before the given one. */
  int countBefore(JobEntry job);

  /**
   * The lines of jobs that make up the queue, each in its order; good until the state changes.
   *
   * @param behind only what stands behind this job, which need not be pending; null: all
   */
  List<Iterator<JobEntry>> lines(@Nullable JobEntry behind);

  /**
   * Adds a job, or moves it to where it belongs now.
   *
   * @param submitter who must not have too many that run; null: nobody
   */
  void add(JobEntry job, @Nullable SubmitterKey submitter);

  /** Takes a job out, if it is there. */
  void remove(JobEntry job);

  /** Leaves all jobs of a submitter out that are not running, or takes them back in. */
  void withhold(SubmitterKey submitter, boolean full);

  /** Leaves a head, and those that ask for the same, out until {@link #unpark}. */
  void park(JobEntry head);

  /**
   * Leaves all jobs out that would be tried before a given one, until {@link #unpark}.
   *
   * @param head may be tried itself
   * @return whether there were any
   */
  boolean passBefore(JobEntry head);

  /**
   * Leaves all jobs out until {@link #unpark}.
   *
   * @return whether there were any that might be tried
   */
  boolean passAll();

  /**
   * What a head uses if it fits, where that alone decides whether it does: it was found before for
   * a job of the same shape, and there was nothing to choose.
   *
   * @param ledger by which it has to be counted
   * @return null if it is not known
   */
  @Nullable Usage knownUse(JobEntry head, QuotaLedger ledger);

  /** Remembers what a head that fits uses, for all jobs of its shape while the ledger is used. */
  void noteUse(JobEntry head, QuotaLedger ledger, Usage usage);

  /** Whether the order of jobs depends on what LocalQueues have used of late. */
  boolean byUsage();

  /** The share by which the jobs of a LocalQueue stand; null if usage does not count. */
  @Nullable UsageShare share(QueueKey localQueue);

  /** Takes back in what was left out. */
  void unpark();

  /** What a LocalQueue has used, or its weight, has changed. */
  void reorder(QueueKey queue);

  /** A LocalQueue is gone, with all its jobs. */
  void forget(QueueKey queue);
}
