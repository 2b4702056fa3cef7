// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The arrivals of loads, and the totals of the two that Kueue measures itself with. */
class ArrivalTest {
  @Test
  void theFirstComeFirstAndThoseOfOneTimeByQueueAndClass() {
    assertThat(Arrival.of(Loads.tiny()))
        .containsExactly(
            new Arrival(10, 0, 0, 1),
            new Arrival(10, 1, 0, 1),
            new Arrival(15, 0, 1, 1),
            new Arrival(15, 1, 1, 1),
            new Arrival(20, 0, 0, 2),
            new Arrival(20, 1, 0, 2));
  }

  @Test
  void baselineHas15000WorkloadsIn60Seconds() throws IOException {
    Load load = Loads.shared("baseline.json");
    assertThat(load.clusterQueues()).isEqualTo(30);
    assertThat(load.capacityBoundSeconds()).isEqualTo(66.0);
    assertArrivals(load, 15_000, 60_000);
    Load.Reference kueue = Objects.requireNonNull(load.reference());
    assertThat(kueue.meanTimeToAdmissionSeconds()).containsEntry("small", 215.5);
  }

  @Test
  void largeScaleHas50000WorkloadsIn3Seconds() throws IOException {
    Load load = Loads.shared("large-scale.json");
    assertThat(load.clusterQueues()).isEqualTo(1_000);
    assertThat(load.capacityBoundSeconds()).isCloseTo(4.03, within(0.006));
    assertArrivals(load, 50_000, 3_300);
  }

  private static void assertArrivals(Load load, int count, long lastMillis) {
    List<Arrival> arrivals = Arrival.of(load);
    assertThat(load.workloads()).isEqualTo(count);
    assertThat(arrivals)
        .hasSize(count)
        .doesNotHaveDuplicates()
        .isSortedAccordingTo(Arrival.IN_ORDER);
    assertThat(arrivals.get(count - 1).dueMillis()).isEqualTo(lastMillis);
    assertThat(load.lastArrival()).hasMillis(lastMillis);
    for (Arrival arrival : arrivals) {
      Load.WorkloadClass of = load.classes().get(arrival.classIndex());
      assertThat(arrival.dueMillis()).isEqualTo(arrival.number() * of.everyMillis());
    }
  }
}
