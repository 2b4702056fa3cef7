// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestWordTest {
  private static final List<String> WORDS = List.of("count", "cohortName", "env", "queue");

  @Test
  void upToTwoEditsAreForgiven() {
    assertThat(NearestWord.find("cuont", WORDS)).isEqualTo("count");
    assertThat(NearestWord.find("counts", WORDS)).isEqualTo("count");
    assertThat(NearestWord.find("queu", WORDS)).isEqualTo("queue");
    assertThat(NearestWord.find("cohrtNme", WORDS)).isEqualTo("cohortName");
    assertThat(NearestWord.find("environ", WORDS)).isNull();
    assertThat(NearestWord.find("cohort", WORDS)).isNull();
  }

  @Test
  void caseIsForgivenWhateverTheLength() {
    assertThat(NearestWord.find("COHORTNAME", WORDS)).isEqualTo("cohortName");
  }

  @Test
  void wordOfWhichNothingIsLeftIsNotSuggested() {
    assertThat(NearestWord.find("xy", List.of("ab"))).isNull();
    assertThat(NearestWord.find("", List.of("ab"))).isNull();
  }

  @Test
  void overlongTextIsNotCompared() {
    assertThat(NearestWord.find("c".repeat(65), List.of("c".repeat(66)))).isNull();
  }

  @Test
  void suggestionIsPartOfASentence() {
    assertThat(NearestWord.suggestion("Env", WORDS)).isEqualTo("; did you mean env?");
    assertThat(NearestWord.suggestion("nothing", WORDS)).isEmpty();
  }
}
