// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.leadership;

import java.time.Duration;

/**
 * A server that may lead.
 *
 * @param holder no other server that lives has the same; whoever has it knows that its former life
 *     is over
 * @param url where it answers
 * @param lease for how long it leads without a renewal
 */
public record Candidate(String holder, String url, Duration lease) {
  /** Lets a killed leader's successor lead within 10 s. */
  public static final Duration LEASE = Duration.ofSeconds(6);

  private static final int RENEWALS_A_LEASE = 6;

  public Candidate {
    if (lease.isNegative() || lease.isZero()) {
      throw new IllegalArgumentException("a lease must be longer than nothing: " + lease);
    }
  }

  /** How long a leader waits from one renewal to the next. */
  public Duration renewalPeriod() {
    return lease.dividedBy(RENEWALS_A_LEASE);
  }
}
