// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sluice.scheduler.store.input.SetAsideCounts;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Meters of the server itself: whether it leads, its batches in flight, the items it set aside. */
final class ServerMeters implements MeterBinder {
  private final BooleanSupplier leads;
  private final DecisionCounts counts;

  /**
   * Meters that are not registered yet.
   *
   * @param leads whether this server does
   */
  ServerMeters(BooleanSupplier leads, DecisionCounts counts) {
    this.leads = leads;
    this.counts = counts;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(registry, Metric.LEADER, () -> leads.getAsBoolean() ? 1 : 0);
    gauge(registry, Metric.IN_FLIGHT, () -> leads.getAsBoolean() ? counts.inFlight() : 0);
    for (SetAsideCounts.Kind kind : SetAsideCounts.Kind.values()) {
      FunctionCounter.builder(Metric.SET_ASIDE.id(), counts.setAside(), all -> all.count(kind))
          .description(Metric.SET_ASIDE.meaning())
          .tags(Metric.SET_ASIDE.tags(kind.word()))
          .register(registry);
    }
  }

  private static void gauge(MeterRegistry registry, Metric metric, Supplier<Number> number) {
    Gauge.builder(metric.id(), number).description(metric.meaning()).register(registry);
  }
}
