// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How often the whole fleet may be told: at most once in five seconds, and ever more rarely, down
 * to once a minute, while it does not come to rest. Each telling is as large as the fleet.
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

  /** As if nothing had been told. */
  void forget() {
    wait = SHORTEST;
    last = null;
  }
}
