// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import io.sluice.queuemodel.quota.policy.Ranking;

/** A policy of queues under which a trace is replayed. */
public enum ReplayPolicy {
  /** Jobs start in order; a job that does not fit blocks those behind it. */
  FCFS("fcfs"),
  /** Jobs that fit start in order; nothing is kept for a job that does not fit. */
  BESTEFFORT("besteffort"),
  /** EASY backfill: no job delays the planned start of the first blocked job. */
  EASY("easy"),
  /** Conservative backfill: no job delays a planned start, which every blocked job gets. */
  CONSERVATIVE("conservative"),
  /** The planned queues of this product: planned starts, and jobs ranked by their limits. */
  PLANNED("planned");

  private final String word;

  ReplayPolicy(String word) {
    this.word = word;
  }

  /** Returns its name on the command line. */
  public String word() {
    return word;
  }

  /**
   * Returns the policies of each ClusterQueue.
   *
   * @param planned depth and ranking of {@link #PLANNED}
   */
  QueuePolicies queuePolicies(Queueing planned) {
    QueueingStrategy strategy =
        this == FCFS ? QueueingStrategy.STRICT_FIFO : QueueingStrategy.BEST_EFFORT_FIFO;
    return QueuePolicies.DEFAULT.withQueueingStrategy(strategy).withQueueing(queueing(planned));
  }

  /** Returns whether blocked jobs get a planned start with a time. */
  boolean plans() {
    return this == EASY || this == CONSERVATIVE || this == PLANNED;
  }

  private Queueing queueing(Queueing planned) {
    return switch (this) {
      case FCFS, BESTEFFORT -> Queueing.KUEUE;
      case EASY -> Queueing.planned(1).withRanking(Ranking.BY_AGE);
      case CONSERVATIVE -> Queueing.planned(Queueing.DEPTH_MAX).withRanking(Ranking.BY_AGE);
      case PLANNED -> planned;
    };
  }
}
