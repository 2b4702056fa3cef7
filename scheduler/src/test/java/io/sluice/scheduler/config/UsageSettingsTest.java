// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.queuemodel.quantity.ResourceName;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UsageSettingsTest {
  @Test
  void withoutAHalfLifeNoQueueServesByUsage() {
    assertThat(UsageSettings.read(null, "5m", List.of())).isNull();
  }

  @Test
  void timesAndWeightsAreReadAsManifestsWriteThem() {
    assertThat(UsageSettings.read("168h", "1m30s", List.of("cpu=0.5", "google.com/tpu=2")))
        .isEqualTo(
            new AdmissionFairSharing(
                Duration.ofDays(7),
                Duration.ofSeconds(90),
                new TreeMap<>(
                    Map.of(
                        ResourceName.CPU, new BigDecimal("0.5"),
                        ResourceName.TPU, new BigDecimal("2")))));
  }

  @Test
  void whatCannotBeReadIsRefusedWithItsOption() {
    refused("--usage-half-life", () -> UsageSettings.read("soon", "5m", List.of()));
    refused("--usage-half-life", () -> UsageSettings.read("0s", "5m", List.of()));
    refused("--usage-sampling-interval", () -> UsageSettings.read("1h", "1us", List.of()));
    for (String weight : List.of("cpu", "=1", "cpu=", "cpu=-1", "cpu=1e9", "c p u=1")) {
      refused("--usage-weight \"" + weight, () -> UsageSettings.read("1h", "5m", List.of(weight)));
    }
  }

  private static void refused(String named, Runnable reading) {
    assertThatThrownBy(reading::run).isInstanceOf(StartException.class).hasMessageContaining(named);
  }
}
