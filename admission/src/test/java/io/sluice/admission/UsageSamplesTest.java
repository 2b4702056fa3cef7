// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.admission.scenario.ScenarioRunner;
import io.sluice.admission.state.AdmissionState;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UsageSamplesTest {
  private static AdmissionState after(String text) {
    ScenarioRunner scenario = new ScenarioRunner();
    scenario.run(text);
    return scenario.world().state();
  }

  @Test
  void whileAJobWaitsTheNextSampleIsDue() {
    AdmissionState state =
        after(
            """
            usage half 1H every 5M
            queue lab nominal cpu 1 byusage
            job   big queue lab cpu 2
            wait  90s
            round
            expect nothing
            """);
    Instant next = state.nextTimerAt();
    assertThat(next).isAfter(state.now()).isBefore(state.now().plus(Duration.ofMinutes(5)));
    assertThat(next).isNotNull();
    assertThat(next == null ? -1 : next.getEpochSecond() % 300).isZero();
  }

  @Test
  void nobodyIsWokenForQueuesThatDoNotServeByUsage() {
    AdmissionState state =
        after(
            """
            usage half 1H every 5M
            queue lab nominal cpu 1
            job   big queue lab cpu 2
            round
            """);
    assertThat(state.nextTimerAt()).isNull();
  }

  @Test
  void halfIsLeftAfterOneHalfLifeAndNothingIsRememberedWithoutOne() {
    AdmissionFairSharing rules =
        new AdmissionFairSharing(Duration.ofHours(7), Duration.ofMinutes(5), new TreeMap<>());
    assertThat(rules.left(Duration.ofHours(7))).isEqualByComparingTo("0.5");
    assertThat(rules.left(Duration.ofHours(21))).isEqualByComparingTo("0.125");
    assertThat(rules.left(Duration.ZERO)).isEqualByComparingTo(BigDecimal.ONE);
    AdmissionFairSharing without =
        new AdmissionFairSharing(Duration.ZERO, Duration.ofMinutes(5), new TreeMap<>());
    assertThat(without.left(Duration.ofNanos(1))).isZero();
    assertThat(without.entryPenalty()).isZero();
  }
}
