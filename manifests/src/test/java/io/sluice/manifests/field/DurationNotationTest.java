// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.InvalidValueException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationNotationTest {
  @ParameterizedTest
  @CsvSource({
    "90s, PT1M30S",
    "1h30m, PT1H30M",
    "1.5h, PT1H30M",
    "30m1h, PT1H30M",
    "250ms, PT0.25S",
    "3us, PT0.000003S",
    "7ns, PT0.000000007S",
    "0s, PT0S",
    "P7D, PT168H",
    "PT1H30M, PT1H30M",
    "PT-5S, PT-5S",
    "999999999999h, PT999999999999H"
  })
  void bothNotationsAreRead(String text, String expected) {
    assertThat(DurationNotation.parse(text)).isEqualTo(Duration.parse(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "90",
        "s",
        "1d",
        "-5s",
        "1 h",
        "1h ",
        "1,5h",
        "1e3s",
        "P",
        "P1Y",
        "PT",
        "1:30",
        "9999999999999h",
        "1h1h1h1h1h1h1h",
        "PT99999999999999999999H",
        "h1"
      })
  void otherTextIsNoDuration(String text) {
    assertThatThrownBy(() -> DurationNotation.parse(text))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("must be a duration such as 90s, 1h30m or PT1H30M");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT90S, 1m30s",
    "PT36H, 36h",
    "PT1H0.5S, 1h0.5s",
    "PT0.000000001S, 0.000000001s",
    "PT20M, 20m"
  })
  void durationsAreWrittenShort(String duration, String expected) {
    assertThat(DurationNotation.format(Duration.parse(duration))).isEqualTo(expected);
  }

  @Test
  void whatIsWrittenIsReadAsItWas() {
    Random random = new Random(7);
    for (int i = 0; i < 1000; i++) {
      Duration duration = Duration.ofNanos(random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63));
      assertThat(DurationNotation.parse(DurationNotation.format(duration))).isEqualTo(duration);
    }
  }
}
