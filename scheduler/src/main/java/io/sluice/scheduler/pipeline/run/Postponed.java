// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Runs, backfills or schedules whose processing failed. Each is skipped for a pause that doubles
 * from a second to a minute, so that the others are processed and the error is not logged every
 * second. Thread-safe.
 */
public final class Postponed<K extends Comparable<K>> {
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration PAUSE_MAX = Duration.ofMinutes(1);

  /**
   * @param until when it is left alone, in nanoseconds of the clock
   */
  private record Pause(long until, Duration length) {}

  private final Map<K, Pause> failed = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  /**
   * @param nanoTime as {@link System#nanoTime}
   */
  public Postponed(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Called when the processing of a key failed. */
  public void failed(K key) {
    long now = nanoTime.getAsLong();
    failed.merge(
        key,
        new Pause(now + PAUSE.toNanos(), PAUSE),
        (before, first) -> {
          Duration doubled = before.length().multipliedBy(2);
          Duration pause = doubled.compareTo(PAUSE_MAX) < 0 ? doubled : PAUSE_MAX;
          return new Pause(now + pause.toNanos(), pause);
        });
  }

  /** Called when the processing of keys succeeded. */
  public void succeeded(List<K> keys) {
    if (!failed.isEmpty()) {
      failed.keySet().removeAll(keys);
    }
  }

  /** The keys to skip now. Drops keys that nobody has tried for long. */
  public List<K> now() {
    long now = nanoTime.getAsLong();
    failed.values().removeIf(pause -> now - pause.until() > PAUSE_MAX.toNanos());
    return failed.entrySet().stream()
        .filter(entry -> entry.getValue().until() - now > 0)
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}
