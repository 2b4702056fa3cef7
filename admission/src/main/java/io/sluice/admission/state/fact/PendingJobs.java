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
 * The pending jobs of one ClusterQueue, in the order in which they are tried. Inadmissible jobs are
 * left out, with all of their shape, until room appears: parked if they were tried in vain, passed
 * over if they have no {@link Prospect}.
 */
public interface PendingJobs {
  /**
   * Returns the job to try next.
   *
   * @return null if no job with a prospect is left, or with StrictFIFO if the first job is left out
   *     or has no prospect
   */
  @Nullable JobEntry head(QueueingStrategy strategy, Prospect prospect);

  /** Returns the first pending job that is not withheld; null if there is none. */
  @Nullable JobEntry first();

  /**
   * Returns the first jobs of different shapes with a prospect, in queue order, whether or not they
   * are left out until room appears. Withheld ones are not among them.
   */
  List<JobEntry> firstOfShapes(Prospect prospect, int most);

  /** Returns the number of jobs that could be admitted if there were room. */
  int size();

  /** Returns all pending jobs in queue order. */
  List<JobEntry> inOrder();

  /** Returns the current order of jobs. */
  Comparator<JobEntry> order();

  /** Returns the current order of jobs without rank delays. */
  Comparator<JobEntry> unranked();

  /** Returns whether any pending job has a rank delay, so that the two orders may differ. */
  boolean ranks();

  /** Returns the first pending job that shares the given job's shape; null if there is none. */
  @Nullable JobEntry firstOfShape(JobEntry job);

  /** Returns whether a job is pending. */
  boolean contains(JobEntry job);

  /** Returns whether a job is pending and its submitter has reached the limit. */
  boolean withholds(JobEntry job);

  /** Returns whether a job is pending and left out until {@link #unpark}. */
  boolean isParked(JobEntry job);

  /** Returns the number of earlier pending jobs that are not withheld. */
  int countBefore(JobEntry job);

  /**
   * Returns the sorted lines of jobs that make up the queue, valid until the state changes.
   *
   * @param behind returns only later jobs than this, which need not be pending; null for all
   */
  List<Iterator<JobEntry>> lines(@Nullable JobEntry behind);

  /**
   * Adds a job, or moves it to its current place.
   *
   * @param submitter submitter with a limit of running jobs; null if no limit applies
   * @param stay how long its attempt would stay, in microseconds, if planned starts bind it; else 0
   */
  void add(JobEntry job, @Nullable SubmitterKey submitter, long stay);

  /** Removes a job, if present. */
  void remove(JobEntry job);

  /** Withholds all pending jobs of a submitter that are not running, or takes them back in. */
  void withhold(SubmitterKey submitter, boolean full);

  /** Leaves out a head, and jobs of its shape, until {@link #unpark}. */
  void park(JobEntry head);

  /**
   * Leaves out all jobs that would be tried before a given one, until {@link #unpark}.
   *
   * @param head the first job that may still be tried
   * @return whether any job was left out
   */
  boolean passBefore(JobEntry head);

  /**
   * Leaves out all jobs until {@link #unpark}.
   *
   * @return whether any job was left out
   */
  boolean passAll();

  /**
   * Returns the usage of a head, if quota alone decides whether it fits. It was recorded for a job
   * of the same shape that had no choice of flavors.
   *
   * @param ledger ledger that the usage must belong to
   * @return null if it is not known
   */
  @Nullable Usage knownUse(JobEntry head, QuotaLedger ledger);

  /**
   * Records the usage of a head that fits, for all jobs of its shape, as long as the ledger is
   * used.
   */
  void noteUse(JobEntry head, QuotaLedger ledger, Usage usage);

  /** Returns whether the order depends on the decayed usage of LocalQueues. */
  boolean byUsage();

  /** Returns the share that orders a LocalQueue's jobs; null if usage does not count. */
  @Nullable UsageShare share(QueueKey localQueue);

  /** Takes back all jobs that were left out. */
  void unpark();

  /** Reorders after the usage or weight of a LocalQueue has changed. */
  void reorder(QueueKey queue);

  /** Forgets a removed LocalQueue. */
  void forget(QueueKey queue);
}
