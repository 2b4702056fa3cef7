// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.InvalidValueException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SliceTopologyTest {
  @Test
  void chipsAreTheProductOfTheSides() {
    assertThat(SliceTopology.parse("4x4").chips()).isEqualTo(16);
    assertThat(SliceTopology.parse("2x2x4").sides()).containsExactly(2, 2, 4);
    assertThat(SliceTopology.parse("9999x9999x9999").chips()).isEqualTo(999_700_029_999L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1x1", "2x4", "16x16", "4x4x8", "1x1x1"})
  void whatIsWrittenIsWhatWasRead(String text) {
    assertThat(SliceTopology.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "4", "4x", "x4", "0x4", "4x04", "4X4", "4x4x4x4", "4 x 4", "-4x4", "10000x1", "4x4\n"
      })
  void otherTextIsRefused(String text) {
    assertThatThrownBy(() -> SliceTopology.parse(text))
        .isInstanceOf(InvalidValueException.class)
        .hasMessage("must be a topology such as 4x4 or 4x4x8");
  }

  @Test
  void smallOnesComeFirst() {
    List<SliceTopology> sorted =
        Stream.of("4x4", "2x2x4", "2x4", "16x16").map(SliceTopology::parse).sorted().toList();
    assertThat(sorted).map(SliceTopology::toString).containsExactly("2x4", "2x2x4", "4x4", "16x16");
  }
}
