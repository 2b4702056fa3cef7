// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.accelerators;

import io.sluice.scheduler.execution.AcceleratorUse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Chip metrics of one endpoint, by pod. The names are those of GKE's TPU device plugin, which
 * labels each chip with the pod that has it: {@code duty_cycle}, {@code tensorcore_utilization} and
 * {@code memory_bandwidth_utilization} in percent, {@code memory_used} and {@code memory_total} in
 * bytes.
 *
 * @see <a href="https://llm-d.ai/docs/dev/operations/observability/tpu">the metrics of the
 *     plugin</a>
 */
final class ChipMetrics {
  private static final String CHIP = "accelerator_id";
  private final Map<PodName, Map<String, Chip>> pods = new TreeMap<>();

  private static final class Chip {
    private @Nullable Double dutyCycle;
    private @Nullable Double tensorcores;
    private @Nullable Double bandwidth;
    private @Nullable Long used;
    private @Nullable Long total;
  }

  /**
   * Parses metrics in Prometheus' text format.
   *
   * @param own the pod that exposes them; null: a node does, and lines without a pod are ignored
   */
  static ChipMetrics parse(String text, @Nullable PodName own) {
    ChipMetrics read = new ChipMetrics();
    text.lines().forEach(line -> read.add(Gauge.parse(line), own));
    return read;
  }

  private void add(@Nullable Gauge gauge, @Nullable PodName own) {
    if (gauge == null || !Double.isFinite(gauge.value()) || gauge.value() < 0) {
      return;
    }
    PodName pod = own;
    if (own == null) {
      String namespace = gauge.labels().get("namespace");
      String name = gauge.labels().get("pod");
      pod = namespace == null || name == null ? null : new PodName(namespace, name);
    }
    if (pod == null) {
      return;
    }
    PodName of = pod;
    switch (gauge.name()) {
      case "duty_cycle" -> chip(of, gauge).dutyCycle = gauge.value();
      case "tensorcore_utilization" -> chip(of, gauge).tensorcores = gauge.value();
      case "memory_bandwidth_utilization" -> chip(of, gauge).bandwidth = gauge.value();
      case "memory_used" -> chip(of, gauge).used = (long) gauge.value();
      case "memory_total" -> chip(of, gauge).total = (long) gauge.value();
      default -> {}
    }
  }

  private Chip chip(PodName pod, Gauge gauge) {
    return pods.computeIfAbsent(pod, key -> new TreeMap<>())
        .computeIfAbsent(gauge.labels().getOrDefault(CHIP, ""), key -> new Chip());
  }

  /** Returns the use of chips by pod. */
  Map<PodName, AcceleratorUse> use(Instant readAt) {
    Map<PodName, AcceleratorUse> uses = new TreeMap<>();
    pods.forEach(
        (pod, chips) -> {
          List<AcceleratorUse> each = new ArrayList<>();
          for (Chip one : chips.values()) {
            each.add(
                new AcceleratorUse(
                    1, one.dutyCycle, one.tensorcores, one.used, one.total, one.bandwidth, readAt));
          }
          AcceleratorUse all = AcceleratorUse.of(each);
          if (all != null) {
            uses.put(pod, all);
          }
        });
    return uses;
  }
}
