// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import io.sluice.queuemodel.job.JobId;
import java.util.List;

/**
 * What the order of future starts depends on: room, running attempts and waiting jobs. Times are in
 * seconds from the moment of the model. {@link StateModel} makes it of a state.
 *
 * @param room cells with the usage of the running attempts
 * @param waiting waiting jobs, in the order in which they are tried
 * @param truncated whether jobs were left out because there are too many
 */
record DrainModel(
    RoomCells room,
    List<RunningAttempt> running,
    List<WaitingJob> waiting,
    int queues,
    boolean truncated) {
  /** No end. */
  static final double NEVER = Double.POSITIVE_INFINITY;

  DrainModel {
    running = List.copyOf(running);
    waiting = List.copyOf(waiting);
  }

  /**
   * An attempt that holds room.
   *
   * @param ageSeconds time since its start
   * @param endSeconds known time of its end, for one that was told to end; else {@link #NEVER}
   * @param latestEnd its latest end; {@link #NEVER} if it has none
   * @param seed determines its run time in each scenario
   */
  record RunningAttempt(
      Demand demand,
      JobKind kind,
      double ageSeconds,
      double endSeconds,
      double latestEnd,
      long seed) {}

  /**
   * A waiting job.
   *
   * @param queue number of its queue
   * @param rule how its queue treats a job that does not fit
   * @param options what it may use, the preferred one first
   * @param shape number that jobs with the same options share
   * @param fresh whether none of its indices was admitted before
   * @param copies number of its indices that may start
   * @param staySeconds longest time for which it would stay; {@link #NEVER} without a limit
   * @param latestStart its planned start, if that is firm; else {@link #NEVER}
   * @param seed determines its run time in each scenario
   */
  record WaitingJob(
      JobId id,
      int queue,
      QueueRule rule,
      List<Demand> options,
      int shape,
      boolean fresh,
      int copies,
      JobKind kind,
      double staySeconds,
      double latestStart,
      long seed) {
    WaitingJob {
      options = List.copyOf(options);
    }
  }

  /** How a queue treats a job that does not fit. */
  enum QueueRule {
    /** It blocks those behind it. */
    STRICT,
    /** Others may pass it, and nothing is kept for it. */
    PASSED,
    /** Others may pass it if they do not delay it. */
    PLANNED
  }
}
