// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.quota.policy.LabelSelector.Operator;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LabelSelectorTest {
  private static final Labels VISION = Labels.of(Map.of("team", "vision", "stage", ""));

  private static boolean matches(Operator operator, String key, String... values) {
    return new LabelSelector(Labels.NONE, List.of(new Requirement(key, operator, List.of(values))))
        .matches(VISION);
  }

  @Test
  void withoutRequirementsItSelectsEverything() {
    assertThat(LabelSelector.EVERYTHING.matches(VISION)).isTrue();
    assertThat(LabelSelector.EVERYTHING.matches(Labels.NONE)).isTrue();
  }

  @Test
  void inAsksForOneOfTheValues() {
    assertThat(matches(Operator.IN, "team", "speech", "vision")).isTrue();
    assertThat(matches(Operator.IN, "stage", "")).isTrue();
    assertThat(matches(Operator.IN, "team", "speech")).isFalse();
    assertThat(matches(Operator.IN, "absent", "vision")).isFalse();
  }

  @Test
  void notInIsTrueOfWhatIsNotThere() {
    assertThat(matches(Operator.NOT_IN, "team", "speech")).isTrue();
    assertThat(matches(Operator.NOT_IN, "absent", "vision")).isTrue();
    assertThat(matches(Operator.NOT_IN, "team", "vision")).isFalse();
  }

  @Test
  void existenceDoesNotLookAtTheValue() {
    assertThat(matches(Operator.EXISTS, "stage")).isTrue();
    assertThat(matches(Operator.EXISTS, "absent")).isFalse();
    assertThat(matches(Operator.DOES_NOT_EXIST, "absent")).isTrue();
    assertThat(matches(Operator.DOES_NOT_EXIST, "stage")).isFalse();
  }

  @Test
  void everyRequirementMustHold() {
    LabelSelector selector =
        new LabelSelector(
            Labels.of(Map.of("team", "vision")),
            List.of(
                new Requirement("stage", Operator.EXISTS, List.of()),
                new Requirement("frozen", Operator.DOES_NOT_EXIST, List.of())));
    assertThat(selector.matches(VISION)).isTrue();
    assertThat(selector.matches(VISION.with(Labels.of(Map.of("frozen", "yes"))))).isFalse();
    assertThat(selector.matches(VISION.with(Labels.of(Map.of("team", "speech"))))).isFalse();
  }

  @Test
  void onlyComparingOperatorsTakeValues() {
    assertThat(Operator.values())
        .filteredOn(Operator::takesValues)
        .containsExactly(Operator.IN, Operator.NOT_IN);
  }
}
