// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The counters and the timer of one label of ClusterQueues. Each is registered at its first count
 * and cached here, since the registry would look it up by its labels. Used by one thread at a time.
 */
final class QueueMeters {
  /** From an unnoticeable wait to one of eleven days. */
  private static final List<Duration> WAIT_BOUNDS =
      LongStream.of(1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400, 1_000_000)
          .mapToObj(Duration::ofSeconds)
          .toList();

  private final MeterRegistry registry;
  private final String label;
  private final Map<String, Counter> evicted = new TreeMap<>();
  private final Map<String, Counter> preempted = new TreeMap<>();
  private final Map<String, Counter> estimates = new TreeMap<>();
  private @Nullable Counter admitted;
  private @Nullable Timer waits;

  QueueMeters(MeterRegistry registry, String label) {
    this.registry = registry;
    this.label = label;
  }

  void admitted() {
    Counter counter = admitted;
    if (counter == null) {
      counter = Metric.ADMITTED.counter(registry, label);
      admitted = counter;
    }
    counter.increment();
  }

  void waited(Duration time) {
    Timer timer = waits;
    if (timer == null) {
      timer = Metric.ADMISSION_WAIT.timer(registry, WAIT_BOUNDS, label);
      waits = timer;
    }
    timer.record(time);
  }

  void evicted(String reason) {
    evicted
        .computeIfAbsent(reason, why -> Metric.EVICTED.counter(registry, label, why))
        .increment();
  }

  /** Counts a preemption by a job of these queues. */
  void preempted(String reason) {
    preempted
        .computeIfAbsent(reason, why -> Metric.PREEMPTED.counter(registry, label, why))
        .increment();
  }

  /** Counts a start for which a range was stated. */
  void estimated(String outcome) {
    estimates
        .computeIfAbsent(outcome, word -> Metric.START_ESTIMATES.counter(registry, label, word))
        .increment();
  }

  /** Removes all of them from the registry. */
  void remove() {
    List<Meter> made = new ArrayList<>(evicted.values());
    made.addAll(preempted.values());
    made.addAll(estimates.values());
    if (admitted != null) {
      made.add(admitted);
    }
    if (waits != null) {
      made.add(waits);
    }
    made.forEach(registry::remove);
  }
}
