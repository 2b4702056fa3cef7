// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JobLifecycleTest {
  @ParameterizedTest
  @EnumSource(JobState.class)
  void jobMayStayWhereItIs(JobState state) {
    assertThat(JobLifecycle.permits(state, state)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(JobState.class)
  void nothingFollowsAnEndAndSomethingFollowsEverythingElse(JobState state) {
    assertThat(JobLifecycle.successors(state).isEmpty()).isEqualTo(state.terminal());
  }

  @Test
  void everyStateIsReachedFromSubmission() {
    Set<JobState> reached = EnumSet.of(JobState.SUBMITTED);
    Deque<JobState> open = new ArrayDeque<>(reached);
    while (!open.isEmpty()) {
      for (JobState next : JobLifecycle.successors(open.remove())) {
        if (reached.add(next)) {
          open.add(next);
        }
      }
    }
    assertThat(reached).containsExactly(JobState.values());
  }

  @ParameterizedTest
  @EnumSource(JobState.class)
  void nothingBecomesSubmittedAgain(JobState state) {
    assertThat(JobLifecycle.successors(state)).doesNotContain(JobState.SUBMITTED);
  }

  @ParameterizedTest
  @EnumSource(
      value = JobState.class,
      names = {"SUBMITTED", "PENDING"})
  void whatHoldsNoQuotaNeitherRunsNorEndsByItself(JobState state) {
    assertThat(JobLifecycle.permits(state, JobState.RUNNING)).isFalse();
    assertThat(JobLifecycle.permits(state, JobState.SUCCEEDED)).isFalse();
    assertThat(JobLifecycle.permits(state, JobState.FAILED)).isFalse();
    assertThat(JobLifecycle.permits(state, JobState.CANCELLED)).isTrue();
  }

  @Test
  void attemptsOnlyGoForward() {
    AttemptState[] states = AttemptState.values();
    for (AttemptState from : states) {
      for (AttemptState to : states) {
        assertThat(JobLifecycle.permits(from, to))
            .as("%s to %s", from, to)
            .isEqualTo(to.compareTo(from) >= 0);
      }
    }
  }
}
