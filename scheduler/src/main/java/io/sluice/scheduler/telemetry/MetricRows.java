// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The numbers of one answer, by metric; those of the same labels are added up. */
final class MetricRows {
  private final Map<Metric, Map<String, Row>> rows = new TreeMap<>();

  private static final class Row {
    final List<String> labels;
    double number;

    Row(List<String> labels) {
      this.labels = labels;
    }
  }

  private final Map<Metric, List<Sample>> histograms = new TreeMap<>();

  /** Adds to the number of these labels. */
  void add(Metric metric, double number, String... labels) {
    rows.computeIfAbsent(metric, one -> new TreeMap<>())
            .computeIfAbsent(
                String.join("\n", labels), joined -> new Row(Arrays.asList(labels.clone())))
            .number +=
        number;
  }

  /** Puts a histogram. */
  void put(Metric metric, List<Double> bounds, Distribution.Reading counted, String... labels) {
    List<Sample> samples = histograms.computeIfAbsent(metric, one -> new ArrayList<>());
    List<String> names = new ArrayList<>(metric.labels());
    names.add("le");
    for (int bucket = 0; bucket <= bounds.size(); bucket++) {
      double bound = bucket < bounds.size() ? bounds.get(bucket) : Double.POSITIVE_INFINITY;
      List<String> values = new ArrayList<>(Arrays.asList(labels));
      values.add(Collector.doubleToGoString(bound));
      samples.add(
          new Sample(metric.id() + "_bucket", names, values, counted.cumulative().get(bucket)));
    }
    List<String> values = Arrays.asList(labels.clone());
    long total = counted.cumulative().get(bounds.size());
    samples.add(new Sample(metric.id() + "_count", metric.labels(), values, (double) total));
    samples.add(new Sample(metric.id() + "_sum", metric.labels(), values, counted.sum()));
  }

  /** All that there is, a family for each metric, those without numbers too. */
  List<MetricFamilySamples> families() {
    List<MetricFamilySamples> families = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      families.add(
          new MetricFamilySamples(metric.id(), metric.type(), metric.meaning(), samples(metric)));
    }
    return families;
  }

  private List<Sample> samples(Metric metric) {
    if (metric.type() == Collector.Type.HISTOGRAM) {
      return histograms.getOrDefault(metric, List.of());
    }
    List<Sample> samples = new ArrayList<>();
    rows.getOrDefault(metric, Map.of())
        .values()
        .forEach(
            row -> samples.add(new Sample(metric.id(), metric.labels(), row.labels, row.number)));
    return samples;
  }
}
