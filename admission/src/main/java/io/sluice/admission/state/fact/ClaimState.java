// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.Claim;
import java.time.Duration;
import java.util.Collection;

/**
 * A claim with its job and its counted usage.
 *
 * @param usage usage of the holder's queue once the holder is admitted
 */
public record ClaimState(Claim claim, JobEntry job, Usage usage) {
  /** Time that a claim lasts beyond the longest grace period of its victims. */
  public static final Duration ALLOWANCE = Duration.ofMinutes(5);

  /** Returns the longest grace period of the victims of a claim. */
  public static Duration longestGrace(Collection<Attempt> attempts) {
    Duration longest = Duration.ZERO;
    for (Attempt attempt : attempts) {
      Duration its = attempt.job().workload().limits().gracePeriod();
      longest = its.compareTo(longest) > 0 ? its : longest;
    }
    return longest;
  }
}
