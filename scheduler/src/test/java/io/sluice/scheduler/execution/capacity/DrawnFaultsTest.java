// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.FleetFault;
import io.sluice.queuemodel.fleet.FleetFaults.RandomFaults;
import io.sluice.testing.FleetBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DrawnFaultsTest {
  private static final Fleet FLEET =
      FleetBuilder.fleet()
          .slices(2, "own", "v6e", "4x4")
          .slices(3, "spot", "v6e", "4x4", CapacityType.SPOT, Labels.NONE)
          .build();
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static List<FleetFault> draw(
      long seed, @Nullable Duration reclaims, @Nullable Duration failures, int count) {
    DrawnFaults drawn =
        new DrawnFaults(
            new RandomFaults(seed, reclaims, Duration.ofSeconds(10), failures, MINUTE), FLEET);
    List<FleetFault> faults = new ArrayList<>();
    while (faults.size() < count && drawn.hasNext()) {
      faults.add(drawn.next());
    }
    return faults;
  }

  @Test
  void theSameSeedDrawsTheSameAndAnotherDoesNot() {
    assertThat(draw(7, MINUTE, MINUTE, 200)).isEqualTo(draw(7, MINUTE, MINUTE, 200));
    assertThat(draw(7, MINUTE, MINUTE, 200)).isNotEqualTo(draw(8, MINUTE, MINUTE, 200));
  }

  @Test
  void whatIsTakenOrFailsComesBackAndTimesOnlyRise() {
    List<FleetFault> faults = draw(7, MINUTE, MINUTE, 400);
    assertThat(faults).isSortedAccordingTo(Comparator.comparing(FleetFault::after));
    Map<String, Duration> away = new TreeMap<>();
    for (FleetFault fault : faults) {
      String name = fault.subject();
      switch (fault.kind()) {
        case RECLAIM -> {
          assertThat(name).startsWith("spot").doesNotContain("-");
          away.put(name, fault.after().plusSeconds(10).plus(MINUTE));
        }
        case FAIL_HOST -> away.put(name, fault.after().plus(MINUTE));
        case RETURN, RETURN_HOST ->
            assertThat(away.get(name)).isGreaterThanOrEqualTo(fault.after());
        case OUT_OF_STOCK, IN_STOCK -> throw new AssertionError(fault);
      }
    }
  }

  @Test
  void theMeanIsAboutAsAskedFor() {
    List<FleetFault> reclaims =
        draw(7, MINUTE, null, 4000).stream()
            .filter(fault -> fault.kind() == FleetFault.Kind.RECLAIM)
            .toList();
    Duration last = reclaims.get(reclaims.size() - 1).after();
    assertThat(last.dividedBy(reclaims.size()))
        .isBetween(Duration.ofSeconds(54), Duration.ofSeconds(66));
    assertThat(draw(7, null, null, 10)).isEmpty();
  }
}
