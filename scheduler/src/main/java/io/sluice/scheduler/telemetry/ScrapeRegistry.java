// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.micrometer.core.instrument.Meter;
import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.CollectorRegistry;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The registry behind {@code /q/metrics}; Quarkus uses it in place of its own. A scrape collects
 * the gauges of the view first, because that removes the meters of deleted queues. It leaves out
 * the maximum that Micrometer adds to each timer, and adds the families of {@link Metric} that have
 * no series yet, without samples.
 */
@Singleton
final class ScrapeRegistry extends CollectorRegistry {
  /** Maxima of a time window: they cannot be combined over servers or scrapes. */
  private static final Set<String> MAXIMA =
      Arrays.stream(Metric.values())
          .filter(metric -> metric.type() == Meter.Type.TIMER)
          .map(metric -> metric.id() + "_max")
          .collect(Collectors.toUnmodifiableSet());

  private static final List<MetricFamilySamples> EMPTY =
      Arrays.stream(Metric.values()).map(ScrapeRegistry::empty).toList();

  private volatile @Nullable Collector view;

  private static MetricFamilySamples empty(Metric metric) {
    Collector.Type type =
        switch (metric.type()) {
          case COUNTER -> Collector.Type.COUNTER;
          case TIMER -> Collector.Type.HISTOGRAM;
          default -> Collector.Type.GAUGE;
        };
    return new MetricFamilySamples(metric.id(), type, metric.meaning(), List.of());
  }

  /** Sets the gauges that each scrape collects before all other families. */
  void collectFirst(Collector gauges) {
    view = gauges;
  }

  @Override
  public Enumeration<MetricFamilySamples> metricFamilySamples() {
    Collector gauges = view;
    List<MetricFamilySamples> families = new ArrayList<>();
    if (gauges != null) {
      families.addAll(gauges.collect());
    }
    for (MetricFamilySamples family : Collections.list(super.metricFamilySamples())) {
      if (!MAXIMA.contains(family.name)) {
        families.add(family);
      }
    }
    Set<String> present = new HashSet<>();
    families.forEach(family -> present.add(family.name));
    for (MetricFamilySamples empty : EMPTY) {
      if (!present.contains(empty.name)) {
        families.add(empty);
      }
    }
    return Collections.enumeration(families);
  }
}
