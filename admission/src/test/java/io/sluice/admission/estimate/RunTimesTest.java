// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** What is known of run times, by the kind of the job. */
class RunTimesTest {
  private final RunTimes times = new RunTimes();

  private static JobKind kind(String submitter, String name, double limit) {
    return new JobKind("queue", "team", submitter, name, 4, limit);
  }

  private void addTen(JobKind kind, double first) {
    for (int at = 0; at < 10; at++) {
      times.add(kind, first + at);
    }
  }

  @Test
  void aNameIsAnsweredByItsOwnRunTimes() {
    addTen(kind("ann", "train-#", 1_000), 100);
    addTen(kind("ann", "eval-#", 1_000), 500);
    assertThat(times.of(kind("ann", "eval-#", 1_000)).quantileSeconds(0, 0.5))
        .isCloseTo(505, within(0.01));
  }

  @Test
  void anUnknownNameIsAnsweredByTheSubmitterAsAShareOfTheLimit() {
    addTen(kind("ann", "train-#", 1_000), 100);
    addTen(kind("bob", "train-#", 1_000), 900);
    assertThat(times.of(kind("ann", "other", 2_000)).quantileSeconds(0, 0.5))
        .isCloseTo(210, within(0.01));
  }

  @Test
  void anAttemptThatOutlastsItsKindIsAnsweredByTheQueue() {
    addTen(kind("ann", "train-#", 1_000), 100);
    addTen(kind("bob", "train-#", 1_000), 900);
    assertThat(times.of(kind("ann", "train-#", 1_000)).quantileSeconds(300, 0.5))
        .isCloseTo(905, within(0.01));
  }

  @Test
  void theQuantileIsNeverBelowTheAge() {
    addTen(kind("ann", "train-#", 1_000), 100);
    for (double age : new double[] {0, 50, 105.5, 109, 400, 999}) {
      double quantile = times.of(kind("ann", "train-#", 1_000)).quantileSeconds(age, 0);
      assertThat(quantile).isGreaterThanOrEqualTo(age);
      assertThat(quantile).isLessThanOrEqualTo(1_000);
    }
  }

  @Test
  void withoutKnowledgeALimitIsUsedEvenlyAndAnAgeDoubles() {
    assertThat(times.of(kind("ann", "new", 1_000)).quantileSeconds(200, 0.5)).isEqualTo(600);
    assertThat(times.of(kind("ann", "new", 0)).quantileSeconds(200, 0.5)).isEqualTo(400);
  }

  @Test
  void oldRunTimesAreForgotten() {
    for (int at = 0; at < 1_000; at++) {
      times.add(kind("ann", "train-#", 1_000), at < 500 ? 900 : 100);
    }
    assertThat(times.of(kind("ann", "train-#", 1_000)).quantileSeconds(0, 0.99))
        .isCloseTo(100, within(0.01));
  }
}
