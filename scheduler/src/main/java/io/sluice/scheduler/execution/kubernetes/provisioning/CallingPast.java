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
 * What is remembered from one step to the next: since when something is so, by this server's clock,
 * and how often was tried what is not there to tell. A new leader begins without it.
 */
final class CallingPast {
  private final Map<String, Instant> since = new HashMap<>();
  private final Map<String, Integer> tries = new HashMap<>();
  private final Set<String> asked = new HashSet<>();

  /** For how long something has been so; it begins to be so with the first question. */
  Duration lasted(String what, Instant now) {
    asked.add(what);
    return Duration.between(since.computeIfAbsent(what, absent -> now), now);
  }

  /** Of a request that is not there, how often it was tried. */
  int tries(String name) {
    return tries.getOrDefault(name, 0);
  }

  void tried(String name, int times) {
    tries.put(name, times);
  }

  /** Forgets what was not asked for since the last time, and tries of what nobody wants. */
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
