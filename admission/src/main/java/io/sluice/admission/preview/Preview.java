// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import io.sluice.admission.explain.Explanation;
import io.sluice.admission.quota.FlavorResources;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The differences that an edit would cause, once nothing more can be decided and all draining
 * attempts are gone. It assumes that nothing else happens: no work ends or arrives, no time passes,
 * and no provider grants slices.
 *
 * @param complete false if it was stopped before nothing more could be decided
 * @param queues ClusterQueues whose quota or usage would change, by name
 * @param excesses nodes that would exceed their quota by more than without the edit
 * @param gains jobs of which more indices would be admitted, in queue order
 * @param evictions running attempts that would be told to end, by key
 * @param waits jobs of which fewer indices would be admitted, or that could only be admitted after
 *     another edit, in queue order
 * @param jobs outcomes of the requested jobs, in their order
 */
public record Preview(
    boolean complete,
    Listed<QueueChange> queues,
    Listed<Excess> excesses,
    Listed<Gain> gains,
    Listed<Eviction> evictions,
    Listed<Wait> waits,
    List<Outcome> jobs) {
  public Preview {
    jobs = List.copyOf(jobs);
  }

  /** A job as shown to people. */
  public record Who(JobId job, String namespace, String name, String clusterQueue, int priority) {}

  /** A ClusterQueue whose quota or usage would change. */
  public record QueueChange(String clusterQueue, List<AmountChange> amounts) {
    public QueueChange {
      amounts = List.copyOf(amounts);
    }
  }

  /** The amounts of a queue, without and with the edit. */
  public record AmountChange(FlavorResources.Pair pair, Amounts without, Amounts with) {}

  /**
   * The amounts of a queue, in the counted unit of the resource.
   *
   * @param most largest possible usage if nothing else were used, including all borrowing
   */
  public record Amounts(long nominal, long most, long used) {
    static final Amounts NONE = new Amounts(0, 0, 0);
  }

  /**
   * A ClusterQueue or Cohort that exceeds its quota, in the counted unit of the resource.
   *
   * @param most quota of its subtree plus what it may borrow
   * @param excess usage beyond that
   * @param without usage beyond that without the edit
   * @param attempts attempts that use it, preferred victims first, until the excess is covered
   */
  public record Excess(
      Node node,
      FlavorResources.Pair pair,
      long most,
      long used,
      long excess,
      long without,
      Listed<Holder> attempts) {}

  /** A node of the quota tree: a ClusterQueue or a Cohort. */
  public record Node(boolean queue, String name) {}

  /**
   * A live attempt.
   *
   * @param who its job; for an array, the name includes the index
   */
  public record Holder(AttemptKey attempt, Who who) {}

  /**
   * A job of which more indices would be admitted.
   *
   * @param indices number of additional indices
   * @param given assignment of the first of them
   */
  public record Gain(Who who, int indices, Assignment given) {}

  /**
   * An attempt that would be told to end.
   *
   * @param preemptor the preempting job; null if it is no preemption
   */
  public record Eviction(Holder victim, Drain drain, @Nullable Who preemptor) {}

  /**
   * A job that would wait.
   *
   * @param indices number of indices fewer that would be admitted; 0 if the job waits anyway, and
   *     now for an edit
   * @param why null if the wait has no explanation
   */
  public record Wait(Who who, int indices, @Nullable Explanation why) {}

  /**
   * The outcome for a job.
   *
   * @param there false if the job has ended or is unknown
   * @param admitted number of admitted indices
   * @param why why the job waits; null if it does not
   */
  public record Outcome(JobId job, boolean there, int admitted, @Nullable Explanation why) {}
}
