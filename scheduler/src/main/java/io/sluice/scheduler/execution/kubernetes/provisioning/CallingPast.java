// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * State that is kept between steps: since when a condition holds, by this server's clock, and the
 * number of tries of requests that no longer exist. A new leader starts without it.
 */
final class CallingPast {
  private final Map<String, Instant> since = new HashMap<>();
  private final Map<String, Integer> tries = new HashMap<>();
  private final Set<String> asked = new HashSet<>();

  /** Returns for how long a condition has held; it starts at the first call. */
  Duration lasted(String what, Instant now) {
    asked.add(what);
    return Duration.between(since.computeIfAbsent(what, absent -> now), now);
  }

  /** Returns the number of tries of a request that no longer exists. */
  int tries(String name) {
    return tries.getOrDefault(name, 0);
  }

  void tried(String name, int times) {
    tries.put(name, times);
  }

  /** Forgets conditions that were not asked for since the last call, and tries of dropped wants. */
  void forgetAllBut(Collection<String> names) {
    since.keySet().retainAll(asked);
    asked.clear();
    tries.keySet().retainAll(names);
  }

  void forget() {
    since.clear();
    tries.clear();
    asked.clear();
  }
}
