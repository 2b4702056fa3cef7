// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The gauges of one scrape, by metric; values with the same labels are added up. */
final class MetricRows {
  private final Map<Metric, Map<String, Row>> rows = new TreeMap<>();

  private static final class Row {
    final List<String> labels;
    double number;

    Row(List<String> labels) {
      this.labels = labels;
    }
  }

  /** Adds to the value with these labels. */
  void add(Metric metric, double number, String... labels) {
    rows.computeIfAbsent(metric, one -> new TreeMap<>())
            .computeIfAbsent(
                String.join("\n", labels), joined -> new Row(Arrays.asList(labels.clone())))
            .number +=
        number;
  }

  /** A family for each metric that has values. */
  List<MetricFamilySamples> families() {
    List<MetricFamilySamples> families = new ArrayList<>();
    rows.forEach(
        (metric, numbers) ->
            families.add(
                new MetricFamilySamples(
                    metric.id(),
                    Collector.Type.GAUGE,
                    metric.meaning(),
                    samples(metric, numbers.values()))));
    return families;
  }

  private static List<Sample> samples(Metric metric, Collection<Row> numbers) {
    List<String> labels = metric.labels();
    List<Sample> samples = new ArrayList<>(numbers.size());
    numbers.forEach(row -> samples.add(new Sample(metric.id(), labels, row.labels, row.number)));
    return samples;
  }
}
