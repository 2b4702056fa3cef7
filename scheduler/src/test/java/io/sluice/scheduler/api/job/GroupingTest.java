// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admission.explain.Blocker;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.store.job.JobCounter;
import io.sluice.scheduler.store.job.JobCounter.Dimension;
import io.sluice.scheduler.store.job.JobCounter.Waiting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The fields by which jobs are counted, and groups by blocker. */
class GroupingTest {
  @Test
  void fieldsAreReadInAnyOrder() {
    Grouping read = Grouping.read("team,blocker,state");
    assertThat(read.stored().dimensions()).containsExactly(Dimension.STATE, Dimension.TEAM);
    assertThat(read.blocker()).isTrue();
    assertThat(Grouping.read("blocker").stored().dimensions()).isEmpty();
    assertThat(Grouping.read("queue").blocker()).isFalse();
  }

  @Test
  void aLabelIsNamedByItsKey() {
    JobCounter.Grouping read = Grouping.read("label:example.com/run,state").stored();
    assertThat(read.dimensions()).containsExactly(Dimension.STATE, Dimension.LABEL);
    assertThat(read.label()).isEqualTo("example.com/run");
    assertThat(Grouping.read("label:a,label:a").stored().label()).isEqualTo("a");
    assertThatThrownBy(() -> Grouping.read("label:a,label:b"))
        .isInstanceOf(ProblemException.class)
        .hasMessage("by must name one label at most, it is label:a,label:b");
    for (String key : List.of("", "a b", "/x", "x'", "k".repeat(64), "p".repeat(254) + "/k")) {
      assertThatThrownBy(() -> Grouping.read("label:" + key))
          .isInstanceOf(ProblemException.class)
          .hasMessageStartingWith("by must name a label as label:KEY: ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "name", "blocker,", "state queue", "BLOCKER", "label"})
  void otherWordsAreRefused(String by) {
    assertThatThrownBy(() -> Grouping.read(by))
        .isInstanceOf(ProblemException.class)
        .hasMessageStartingWith("by must be one or several of state, queue, ");
  }

  @Test
  void blockersAreCountedInOrderOfTheFields() {
    List<Waiting> jobs = new ArrayList<>();
    for (String job : List.of("b5", "a4", "b2", "a3", "b1")) {
      Instant submitted = Instant.ofEpochSecond(Integer.parseInt(job.substring(1)));
      jobs.add(
          new Waiting(
              new JobId(UUID.randomUUID()),
              Map.of(Dimension.TEAM, job.substring(0, 1)),
              submitted));
    }
    assertThat(
            BlockerGroups.of(
                    jobs,
                    Arrays.asList(
                        Blocker.QUOTA_IN_USE, null, Blocker.HELD, Blocker.HELD, Blocker.HELD))
                .stream()
                .map(
                    group ->
                        "%s %s %d %d"
                            .formatted(
                                group.team(),
                                group.blocker(),
                                group.count(),
                                Objects.requireNonNull(group.oldest()).getEpochSecond())))
        .containsExactly("a  1 4", "a HELD 1 3", "b HELD 2 1", "b QUOTA_IN_USE 1 5");
    assertThat(BlockerGroups.of(List.of(), List.of())).isEmpty();
  }
}
