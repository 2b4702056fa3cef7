// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Rate limit for inputs of the whole fleet, each of which is as large as the fleet: at most one in
 * five seconds, and down to one a minute while the fleet keeps changing.
 */
final class FleetPace {
  static final Duration SHORTEST = Duration.ofSeconds(5);
  static final Duration LONGEST = Duration.ofMinutes(1);

  private Duration wait = SHORTEST;
  private @Nullable Instant last;

  boolean mayTell(Instant now) {
    return last == null || !now.isBefore(last.plus(wait));
  }

  void told(Instant now) {
    boolean restless = last != null && now.isBefore(last.plus(wait.multipliedBy(2)));
    Duration doubled = wait.multipliedBy(2);
    wait = !restless ? SHORTEST : doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
    last = now;
  }

  /** Resets the limit. */
  void forget() {
    wait = SHORTEST;
    last = null;
  }
}
