// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.leadership;

import java.time.Duration;

/**
 * A server that may lead.
 *
 * @param holder unique among running servers; the server that has it knows that its former process
 *     has ended
 * @param url where it answers
 * @param lease the time for which it leads without a renewal
 */
public record Candidate(String holder, String url, Duration lease) {
  /** Short enough for the successor of a killed leader to lead within 10 s. */
  public static final Duration LEASE = Duration.ofSeconds(6);

  private static final int RENEWALS_A_LEASE = 6;

  public Candidate {
    if (lease.isNegative() || lease.isZero()) {
      throw new IllegalArgumentException("a lease must be longer than nothing: " + lease);
    }
  }

  /** Time between two renewals. */
  public Duration renewalPeriod() {
    return lease.dividedBy(RENEWALS_A_LEASE);
  }
}
