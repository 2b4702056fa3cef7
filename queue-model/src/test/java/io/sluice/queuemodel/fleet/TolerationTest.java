// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.fleet.Taint.Effect;
import io.sluice.queuemodel.fleet.Toleration.Operator;
import org.junit.jupiter.api.Test;

class TolerationTest {
  private static final Taint SPOT = new Taint("spot", "true", Effect.NO_SCHEDULE);

  @Test
  void equalComparesKeyValueAndEffect() {
    assertThat(new Toleration("spot", Operator.EQUAL, "true", Effect.NO_SCHEDULE).tolerates(SPOT))
        .isTrue();
    assertThat(new Toleration("spot", Operator.EQUAL, "", Effect.NO_SCHEDULE).tolerates(SPOT))
        .isFalse();
    assertThat(new Toleration("spots", Operator.EQUAL, "true", Effect.NO_SCHEDULE).tolerates(SPOT))
        .isFalse();
    assertThat(new Toleration("spot", Operator.EQUAL, "true", Effect.NO_EXECUTE).tolerates(SPOT))
        .isFalse();
  }

  @Test
  void withoutEffectEveryEffectIsTolerated() {
    for (Effect effect : Effect.values()) {
      assertThat(
              new Toleration("spot", Operator.EQUAL, "true", null)
                  .tolerates(new Taint("spot", "true", effect)))
          .isTrue();
    }
  }

  @Test
  void existsDoesNotLookAtTheValue() {
    assertThat(new Toleration("spot", Operator.EXISTS, "", null).tolerates(SPOT)).isTrue();
    assertThat(new Toleration("other", Operator.EXISTS, "", null).tolerates(SPOT)).isFalse();
  }

  @Test
  void emptyKeyStandsForEveryKeyOnlyWithExists() {
    assertThat(new Toleration("", Operator.EXISTS, "", null).tolerates(SPOT)).isTrue();
    assertThat(new Toleration("", Operator.EXISTS, "", Effect.NO_EXECUTE).tolerates(SPOT))
        .isFalse();
    assertThat(new Toleration("", Operator.EQUAL, "true", null).tolerates(SPOT)).isFalse();
  }

  @Test
  void preferenceAloneRepelsNobody() {
    assertThat(SPOT.repels()).isTrue();
    assertThat(new Taint("a", "", Effect.NO_EXECUTE).repels()).isTrue();
    assertThat(new Taint("a", "", Effect.PREFER_NO_SCHEDULE).repels()).isFalse();
  }
}
