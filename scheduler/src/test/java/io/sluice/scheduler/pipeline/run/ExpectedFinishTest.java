// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.pipeline.Pipeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Times are seconds after {@link #NOW}. */
class ExpectedFinishTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static final String DIAMOND =
      """
      - {name: a, job: {}}
      - {name: short, dependsOn: [a], job: {}}
      - {name: long, dependsOn: [a], job: {}}
      - {name: last, dependsOn: [short, long], job: {}}
      """;

  private static final Map<String, ExpectedFinish.Took> BEFORE =
      Map.of("a", took(10, 20), "short", took(1, 300), "long", took(100, 200), "last", took(5, 10));

  private final TreeMap<String, RunRows.StepRow> known = new TreeMap<>();

  private static ExpectedFinish.Took took(long shorter, long longer) {
    return new ExpectedFinish.Took(Duration.ofSeconds(shorter), Duration.ofSeconds(longer));
  }

  private static Pipeline pipeline(String steps, String more) {
    return ManifestReader.readPipeline(
        "apiVersion: sluice.io/v1\nkind: Pipeline\nmetadata: {name: nightly}\nspec:\n"
            + more
            + "  steps:\n"
            + steps.indent(2));
  }

  private void knows(String step, StepState state, long began) {
    known.put(
        step,
        new RunRows.StepRow(
            new RunStep(step, state, List.of(), NOW.plusSeconds(began), ""),
            state.ended() ? NOW : null));
  }

  private String expected(Pipeline pipeline, Map<String, ExpectedFinish.Took> before) {
    ExpectedFinish expected = ExpectedFinish.of(pipeline, known, before, NOW);
    return expected == null
        ? "nobody can tell"
        : Duration.between(NOW, expected.earliest()).toSeconds()
            + " to "
            + Duration.between(NOW, expected.latest()).toSeconds();
  }

  @Test
  void theLongestChainCountsForEachEndOfTheRange() {
    assertThat(expected(pipeline(DIAMOND, ""), BEFORE)).isEqualTo("115 to 330");
  }

  @Test
  void whatHasEndedTakesNoTimeAndWhatRunsWhatIsLeftOfItsTime() {
    knows("a", StepState.SUCCEEDED, -500);
    knows("short", StepState.SUCCEEDED, -400);
    knows("long", StepState.RUNNING, -60);
    assertThat(expected(pipeline(DIAMOND, ""), BEFORE)).isEqualTo("45 to 150");
  }

  @Test
  void whatRunsForLongerThanEverMayEndAnyMoment() {
    knows("a", StepState.SUCCEEDED, -5000);
    knows("short", StepState.SUCCEEDED, -4000);
    knows("long", StepState.RUNNING, -3000);
    assertThat(expected(pipeline(DIAMOND, ""), BEFORE)).isEqualTo("5 to 10");
  }

  @Test
  void aStepThatNeverSucceededLeavesItOpenUntilItHasEnded() {
    Map<String, ExpectedFinish.Took> before = new TreeMap<>(BEFORE);
    before.remove("a");
    assertThat(expected(pipeline(DIAMOND, ""), before)).isEqualTo("nobody can tell");
    knows("a", StepState.SUCCEEDED, -1);
    assertThat(expected(pipeline(DIAMOND, ""), before)).isEqualTo("105 to 310");
  }

  @Test
  void whoWaitsForAFailureIsNotCountedUntilThereIsOne() {
    Pipeline pipeline =
        pipeline(
            """
            - {name: a, job: {}}
            - {name: mend, dependsOn: [{step: a, when: failed}], job: {}}
            - {name: after, dependsOn: [mend], job: {}}
            - {name: anyway, dependsOn: [{step: after, when: always}], job: {}}
            """,
            "");
    Map<String, ExpectedFinish.Took> before =
        Map.of(
            "a", took(10, 20), "mend", took(7, 7), "after", took(9, 9), "anyway", took(100, 100));
    assertThat(expected(pipeline, before)).isEqualTo("110 to 120");
    knows("a", StepState.FAILED, -10);
    assertThat(expected(pipeline, before)).isEqualTo("116 to 116");
  }

  @Test
  void theExitHandlerComesAfterAll() {
    Pipeline pipeline =
        pipeline(
            "- {name: a, job: {}}\n- {name: b, job: {}}\n",
            "  exitHandler: {name: tell, job: {}}\n");
    assertThat(expected(pipeline, Map.of("a", took(10, 20), "b", took(1, 30), "tell", took(1, 2))))
        .isEqualTo("11 to 32");
  }

  @Test
  void aRunIsLateOnlyWhenItsDeadlineHasPassed() {
    Instant deadline = NOW.plusSeconds(100);
    assertThat(Lateness.of(deadline, null, NOW)).isNull();
    assertThat(lateness(deadline, 10, 100)).isEqualTo(Lateness.IN_TIME);
    assertThat(lateness(deadline, 10, 101)).isEqualTo(Lateness.MAY_BE_LATE);
    assertThat(lateness(deadline, 101, 110)).isEqualTo(Lateness.WILL_BE_LATE);
    assertThat(Lateness.of(deadline, null, deadline)).isNull();
    assertThat(Lateness.of(deadline, null, deadline.plusSeconds(1))).isEqualTo(Lateness.LATE);
  }

  private static @Nullable Lateness lateness(Instant deadline, long earliest, long latest) {
    return Lateness.of(
        deadline, new ExpectedFinish(NOW.plusSeconds(earliest), NOW.plusSeconds(latest)), NOW);
  }
}
