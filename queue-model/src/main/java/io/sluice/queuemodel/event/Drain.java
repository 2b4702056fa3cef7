// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

import io.sluice.queuemodel.job.IndexKey;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why an attempt was told to end.
 *
 * @param preemption of a preemption, else null
 * @param failure of a failure, else null
 * @param message one line for people; empty if there is nothing to say
 * @param notice after which what it runs on is gone; null: it is not going
 */
public record Drain(
    DrainCause cause,
    @Nullable Preemption preemption,
    @Nullable FailureCause failure,
    String message,
    @Nullable Duration notice) {
  /** A drain that nothing but the job itself bounds. */
  public Drain(
      DrainCause cause,
      @Nullable Preemption preemption,
      @Nullable FailureCause failure,
      String message) {
    this(cause, preemption, failure, message, null);
  }

  /** For whom an attempt is preempted, and on what ground. */
  public record Preemption(IndexKey preemptor, PreemptionReason reason) {}

  public static Drain of(DrainCause cause) {
    return new Drain(cause, null, null, "");
  }

  public static Drain preempted(IndexKey preemptor, PreemptionReason reason) {
    return new Drain(DrainCause.PREEMPTED, new Preemption(preemptor, reason), null, "");
  }

  public static Drain failed(FailureCause failure, String message) {
    return new Drain(DrainCause.FAILED, null, failure, message);
  }

  /** Because it was not reported started within its start deadline. */
  public static Drain startDeadline(Duration deadline) {
    return new Drain(
        DrainCause.START_DEADLINE,
        null,
        null,
        "it did not start within its start deadline of " + deadline);
  }

  /**
   * Because it goes on where its class would rather have it.
   *
   * @param rung from 0
   */
  public static Drain movedUp(int rung, String capacityType) {
    String message = "it moves up to rung %d, %s".formatted(rung + 1, capacityType);
    return new Drain(DrainCause.MIGRATED, null, null, message);
  }

  /**
   * Because its lease ends.
   *
   * @param lead how long before that it is told
   */
  public static Drain leaseEnd(Instant end, Duration lead) {
    return new Drain(
        DrainCause.LEASE_END, null, null, "its provider takes its capacity back at " + end, lead);
  }

  /** Because a new generation of it was not reported started in time. */
  public static Drain notResized(Duration deadline) {
    return new Drain(
        DrainCause.NOT_RESIZED,
        null,
        null,
        "it did not start on its new slices within " + deadline);
  }

  /** Because a host of one of its slices has failed: nothing of it runs on there. */
  public static Drain hostLost(String host, String slice) {
    return new Drain(
        DrainCause.HOST_LOST,
        null,
        null,
        "host " + host + " of slice " + slice + " has failed",
        Duration.ZERO);
  }

  /**
   * Because a slice is taken back.
   *
   * @param notice until then; zero: it is gone
   */
  public static Drain reclaimed(String slice, Duration notice) {
    String message = "slice " + slice + (notice.isZero() ? " is gone" : " is taken back");
    return new Drain(DrainCause.SLICE_RECLAIMED, null, null, message, notice);
  }

  /**
   * Because a booking or an outage needs what it uses.
   *
   * @param who as {@code Outage maintenance}
   */
  public static Drain dated(String who, Instant from) {
    return new Drain(
        DrainCause.DATED, null, null, who + " needs what it uses from " + from + " on");
  }
}
