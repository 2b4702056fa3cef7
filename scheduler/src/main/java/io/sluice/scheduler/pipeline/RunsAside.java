// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Runs that could not be taken further. Each is left alone for a pause that doubles, from a second
 * to a minute, so that those behind it are read and what is wrong is not told each second. For any
 * thread.
 */
final class RunsAside {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

  /**
   * @param until when it is left alone, in nanoseconds of the clock
   */
  private record Aside(long until, Duration pause) {}

  private final Map<UUID, Aside> failed = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  RunsAside(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** It could not be taken further. */
  void failed(UUID run) {
    long now = nanoTime.getAsLong();
    failed.merge(
        run,
        new Aside(now + PAUSE.toNanos(), PAUSE),
        (before, first) -> {
          Duration doubled = before.pause().multipliedBy(2);
          Duration pause = doubled.compareTo(PAUSE_MAX) < 0 ? doubled : PAUSE_MAX;
          return new Aside(now + pause.toNanos(), pause);
        });
  }

  /** They could. */
  void advanced(List<UUID> runs) {
    if (!failed.isEmpty()) {
      failed.keySet().removeAll(runs);
    }
  }

  /** Those that are left alone now. What nobody has tried for long since is forgotten. */
  List<UUID> now() {
    long now = nanoTime.getAsLong();
    failed.values().removeIf(aside -> now - aside.until() > PAUSE_MAX.toNanos());
    return failed.entrySet().stream()
        .filter(entry -> entry.getValue().until() - now > 0)
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}
