// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import org.jspecify.annotations.Nullable;

/**
 * Why an attempt was told to end.
 *
 * @param preemption of a preemption, else null
 * @param failure of a failure, else null
 * @param message one line for people; empty if there is nothing to say
 */
public record Drain(
    DrainCause cause,
    @Nullable Preemption preemption,
    @Nullable FailureCause failure,
    String message) {
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
}
