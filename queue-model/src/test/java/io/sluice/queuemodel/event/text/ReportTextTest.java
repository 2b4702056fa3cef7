// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.InvalidValueException;
import org.junit.jupiter.api.Test;

class ReportTextTest {
  private static final String CLEF = "\uD834\uDD1E";

  @Test
  void whatCanBeStoredStaysAsItIs() {
    String text = "exit code 3\n\tat Main " + CLEF;
    assertThat(ReportText.of(text)).isSameAs(text);
  }

  @Test
  void nulAndLoneSurrogatesAreReplaced() {
    assertThat(ReportText.of("a\0b")).isEqualTo("a\uFFFDb");
    assertThat(ReportText.of("\uD834x\uDD1E")).isEqualTo("\uFFFDx\uFFFD");
  }

  @Test
  void aLongTextIsCutBetweenCharacters() {
    String longest = "x".repeat(ReportText.LENGTH_MAX);
    assertThat(ReportText.of(longest)).isEqualTo(longest);
    assertThat(ReportText.of(longest + "y")).hasSize(ReportText.LENGTH_MAX).endsWith("x...");
    String clefs = "x" + CLEF.repeat(ReportText.LENGTH_MAX);
    assertThat(ReportText.of(clefs))
        .hasSizeLessThanOrEqualTo(ReportText.LENGTH_MAX)
        .endsWith(CLEF + "...");
    assertThat(ReportText.isStorable(ReportText.of(clefs))).isTrue();
    assertThat(ReportText.of("x" + clefs)).endsWith(CLEF + "...");
  }

  @Test
  void aCheckpointIsRefusedAndNotAltered() {
    assertThatThrownBy(() -> Checkpoint.requireText("step \uD834"))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("characters that print");
  }
}
