// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.accelerators;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.execution.AcceleratorUse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChipMetricsTest {
  private static final Instant NOW = Instant.parse("2026-11-22T09:00:00Z");
  private static final PodName TRAIN = new PodName("research", "train-0");

  private static Map<PodName, AcceleratorUse> read(String text) {
    return ChipMetrics.parse(text, null).use(NOW);
  }

  @Test
  void theChipsOfANodeBelongToThePodsThatTheyName() {
    Map<PodName, AcceleratorUse> uses =
        read(
            """
            # HELP duty_cycle of a chip
            # TYPE duty_cycle gauge
            duty_cycle{accelerator_id="7-0",make="cloud-tpu",namespace="research",pod="train-0"} 90
            duty_cycle{accelerator_id="7-1",make="cloud-tpu",namespace="research",pod="train-0"} 70
            memory_used{accelerator_id="7-0",namespace="research",pod="train-0"} 1.5e+10
            memory_used{accelerator_id="7-1",namespace="research",pod="train-0"} 5e9
            memory_total{accelerator_id="7-0",namespace="research",pod="train-0"} 3.2e10
            memory_total{accelerator_id="7-1",namespace="research",pod="train-0"} 3.2e10
            tensorcore_utilization{accelerator_id="7-0",namespace="research",pod="train-0"} 40
            memory_bandwidth_utilization{accelerator_id="7-2",namespace="other",pod="b"} 12.5 1763
            duty_cycle{accelerator_id="7-3",make="cloud-tpu"} 100
            go_goroutines 12
            """);
    assertThat(uses)
        .containsOnly(
            Map.entry(
                TRAIN,
                new AcceleratorUse(2, 80.0, 40.0, 20_000_000_000L, 64_000_000_000L, null, NOW)),
            Map.entry(
                new PodName("other", "b"),
                new AcceleratorUse(1, null, null, null, null, 12.5, NOW)));
  }

  @Test
  void whatAPodSaysOfItselfNeedNotNameIt() {
    assertThat(ChipMetrics.parse("duty_cycle 55\nmemory_used 1024\n", TRAIN).use(NOW))
        .containsOnly(Map.entry(TRAIN, new AcceleratorUse(1, 55.0, null, 1024L, null, null, NOW)));
  }

  @Test
  void linesThatAreNoSamplesAreLeftOut() {
    assertThat(
            read(
                """
                duty_cycle{namespace="research",pod="train-0" 90
                duty_cycle{namespace="research",pod="train-0"} many
                duty_cycle{namespace="research",pod="train-0"} NaN
                duty_cycle{namespace="research",pod="train-0"} -1
                duty_cycle{namespace=research,pod=train-0} 90
                duty_cycle{namespace="research",pod="train-0
                duty_cycle

                {} 3
                """))
        .isEmpty();
  }

  @Test
  void aLabelMayHaveBracesCommasAndEscapes() {
    Gauge gauge = Gauge.parse("duty_cycle{a=\"}, b=\\\"1\\\"\",c=\"x\\\\y\\nz\"} 1");
    assertThat(gauge)
        .isEqualTo(new Gauge("duty_cycle", Map.of("a", "}, b=\"1\"", "c", "x\\y\nz"), 1));
  }

  @Test
  void percentagesOfSeveralAreWeightedByTheirChips() {
    AcceleratorUse eight = new AcceleratorUse(8, 100.0, null, 8L, null, null, NOW);
    AcceleratorUse two = new AcceleratorUse(2, 50.0, 10.0, 2L, 4L, null, NOW.minusSeconds(5));
    AcceleratorUse silent = new AcceleratorUse(90, null, null, null, null, null, NOW);
    assertThat(AcceleratorUse.of(List.of(eight, two, silent)))
        .isEqualTo(new AcceleratorUse(100, 90.0, 10.0, 10L, 4L, null, NOW.minusSeconds(5)));
    assertThat(AcceleratorUse.of(List.of())).isNull();
  }
}
