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
 * What would be different with an edit, once nothing more can be decided and all that is told to
 * end is gone. Nothing else happens meanwhile: nothing ends by itself, nothing comes, no time
 * passes, and no provider gives slices.
 *
 * @param complete false if it was given up before nothing more could be decided
 * @param queues ClusterQueues whose quota or usage would be another, by name
 * @param excesses nodes that would use more than they may, and more of it than without the edit
 * @param gains jobs of which more would be admitted, in the order of queues
 * @param evictions attempts that run now and would be told to end, by key
 * @param waits jobs of which less would be admitted, or which could not be admitted at all without
 *     another edit, in the order of queues
 * @param jobs what becomes of the jobs that were asked about, in their order
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

  /** A job, as people know it. */
  public record Who(JobId job, String namespace, String name, String clusterQueue, int priority) {}

  /** A ClusterQueue that would be another. */
  public record QueueChange(String clusterQueue, List<AmountChange> amounts) {
    public QueueChange {
      amounts = List.copyOf(amounts);
    }
  }

  /** What a queue has of a resource, without the edit and with it. */
  public record AmountChange(FlavorResources.Pair pair, Amounts without, Amounts with) {}

  /**
   * What a queue has of a resource, in its counted unit.
   *
   * @param most what it could use if nothing else were used, with all that it may borrow
   */
  public record Amounts(long nominal, long most, long used) {
    static final Amounts NONE = new Amounts(0, 0, 0);
  }

  /**
   * A ClusterQueue or Cohort that uses more than it may, in the counted unit of the resource.
   *
   * @param most its own quota, that of those below it, and what it may borrow
   * @param excess what it uses beyond that
   * @param without what it uses beyond that without the edit
   * @param attempts who uses it: those that would be evicted first, until the excess is covered
   */
  public record Excess(
      Node node,
      FlavorResources.Pair pair,
      long most,
      long used,
      long excess,
      long without,
      Listed<Holder> attempts) {}

  /** A node of the quota tree; a ClusterQueue or a Cohort. */
  public record Node(boolean queue, String name) {}

  /**
   * A live attempt.
   *
   * @param who its job; of an array, the name has the index
   */
  public record Holder(AttemptKey attempt, Who who) {}

  /**
   * A job of which more would be admitted.
   *
   * @param indices how many more
   * @param given to the first of them
   */
  public record Gain(Who who, int indices, Assignment given) {}

  /**
   * An attempt that would be told to end.
   *
   * @param preemptor name of the job that it makes room for; null: it is for no other
   */
  public record Eviction(Holder victim, Drain drain, @Nullable String preemptor) {}

  /**
   * A job that would wait.
   *
   * @param indices how many fewer of it would be admitted; 0: it waits anyway, and now for an edit
   * @param why null if nothing of it waits that could be explained
   */
  public record Wait(Who who, int indices, @Nullable Explanation why) {}

  /**
   * What becomes of a job.
   *
   * @param there false if it has ended, or is not known
   * @param admitted how many of its indices are admitted
   * @param why something of it waits; null if nothing does
   */
  public record Outcome(JobId job, boolean there, int admitted, @Nullable Explanation why) {}
}
