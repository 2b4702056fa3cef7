// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.quota.policy.LabelSelector.Operator;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeAffinityTest {
  private static final NodeAffinity LARGE_IN_A =
      new NodeAffinity(
          List.of(
              List.of(
                  new Requirement("zone", Operator.IN, List.of("a")),
                  new Requirement("chips", Operator.GREATER_THAN, List.of("8")))));

  @Test
  void nodeMustMeetAllOfATerm() {
    assertThat(LARGE_IN_A.matches(Labels.of(Map.of("zone", "a", "chips", "16")))).isTrue();
    assertThat(LARGE_IN_A.matches(Labels.of(Map.of("zone", "a", "chips", "8")))).isFalse();
    assertThat(LARGE_IN_A.matches(Labels.of(Map.of("zone", "a", "chips", "many")))).isFalse();
    assertThat(LARGE_IN_A.matches(Labels.of(Map.of("zone", "a")))).isFalse();
    assertThat(NodeAffinity.ANY.matches(Labels.NONE)).isTrue();
  }

  @Test
  void flavorThatDoesNotNameALabelIsNotExcludedByIt() {
    assertThat(LARGE_IN_A.permits(Labels.of(Map.of("zone", "a")))).isTrue();
    assertThat(LARGE_IN_A.permits(Labels.of(Map.of("chips", "9")))).isTrue();
    assertThat(LARGE_IN_A.permits(Labels.of(Map.of("zone", "b", "chips", "9")))).isFalse();
    assertThat(LARGE_IN_A.permits(Labels.of(Map.of("chips", "4")))).isFalse();
  }

  @Test
  void oneOfSeveralTermsIsEnough() {
    NodeAffinity either =
        new NodeAffinity(
            List.of(
                List.of(new Requirement("zone", Operator.IN, List.of("a"))),
                List.of(new Requirement("chips", Operator.LESS_THAN, List.of("8")))));
    assertThat(either.matches(Labels.of(Map.of("zone", "b", "chips", "4")))).isTrue();
    assertThat(either.matches(Labels.of(Map.of("zone", "b", "chips", "8")))).isFalse();
  }

  @Test
  void oneOfTheAlternativesMustBeMetBesidesATerm() {
    Requirement east = new Requirement("zone", Operator.IN, List.of("east"));
    Requirement fast = new Requirement("disk", Operator.IN, List.of("fast"));
    Requirement notOld = new Requirement("pool", Operator.NOT_IN, List.of("old"));
    NodeAffinity affinity =
        new NodeAffinity(List.of(List.of(east))).choosing(List.of(List.of(fast), List.of(notOld)));
    Labels fastInTheEast = Labels.of(Map.of("zone", "east", "disk", "fast", "pool", "old"));
    Labels slowInTheEast = Labels.of(Map.of("zone", "east", "disk", "slow", "pool", "old"));

    assertThat(affinity.matches(fastInTheEast)).isTrue();
    assertThat(affinity.admits(fastInTheEast)).isTrue();
    assertThat(affinity.matches(slowInTheEast)).isFalse();
    assertThat(affinity.admits(slowInTheEast)).isFalse();
    assertThat(affinity.matches(Labels.of(Map.of("disk", "fast")))).isFalse();
    assertThat(affinity.permits(0, Labels.of(Map.of("zone", "east")))).isTrue();
    assertThat(affinity.permits(0, slowInTheEast)).isFalse();
    assertThat(affinity.permits(1, slowInTheEast)).isFalse();
    assertThat(affinity.toString()).isNotEqualTo(affinity.choosing(List.of()).toString());
  }
}
