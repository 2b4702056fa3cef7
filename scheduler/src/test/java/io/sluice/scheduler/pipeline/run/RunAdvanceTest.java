// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.event.FailureCause;
import org.junit.jupiter.api.Test;

class RunAdvanceTest {
  @Test
  void stepsBeginWhenWhatTheyWaitForHasSucceeded() {
    PaperRun run =
        PaperRun.of(
            """
            - {name: ingest, job: {spec: {queue: q}}}
            - {name: train, dependsOn: [ingest], job: {spec: {queue: q}}}
            - {name: report, dependsOn: [ingest, train], job: {spec: {queue: q}}}
            """);
    assertThat(run.advance()).containsExactly("ingest/0/1");
    assertThat(run.advance()).isEmpty();
    run.succeed("ingest", 0);
    assertThat(run.advance()).containsExactly("train/0/1");
    run.succeed("train", 0);
    assertThat(run.advance()).containsExactly("report/0/1");
    run.succeed("report", 0);
    assertThat(run.advance()).isEmpty();
    assertThat(run.outcome()).isEqualTo("SUCCEEDED ");
  }

  @Test
  void whatWaitsForSuccessIsPassedOverAndTheRunFails() {
    PaperRun run =
        PaperRun.of(
            """
            - {name: a, job: {}}
            - {name: b, dependsOn: [a], job: {}}
            - {name: c, dependsOn: [b], job: {}}
            - {name: d, dependsOn: [{step: c, when: always}], job: {}}
            """);
    run.advance();
    run.fail("a", 0, FailureCause.EXIT_CODE);
    assertThat(run.advance()).containsExactly("d/0/1");
    assertThat(run.states()).isEqualTo("a FAILED, b SKIPPED, c SKIPPED, d RUNNING");
    run.succeed("d", 0);
    run.advance();
    assertThat(run.outcome()).isEqualTo("FAILED step a failed");
  }

  @Test
  void aFailureThatAStepWaitsForIsMadeGood() {
    PaperRun run =
        PaperRun.of(
            """
            - {name: a, job: {}}
            - {name: mend, dependsOn: [{step: a, when: failed}], job: {}}
            """);
    run.advance();
    run.fail("a", 0, FailureCause.SIGNAL);
    assertThat(run.advance()).containsExactly("mend/0/1");
    run.succeed("mend", 0);
    run.advance();
    assertThat(run.outcome()).isEqualTo("SUCCEEDED ");
  }

  @Test
  void partsRunSoManyAtATimeAndReadTheirItems() {
    PaperRun run =
        PaperRun.of(
            """
            - name: pages
              forEach: [u, v, w]
              maxParallel: 2
              job: {spec: {command: ["${{ item }}", "${{ run.name }}"]}}
            - name: all
              dependsOn: [pages]
              job: {spec: {command: ["${{ steps.pages.outputs }}"]}}
            """);
    assertThat(run.advance()).containsExactly("pages/0/1", "pages/1/1");
    assertThat(run.command("pages/1/1")).isEqualTo("[\"v\",\"nightly-1\"]");
    run.succeed("pages", 1);
    assertThat(run.advance()).containsExactly("pages/2/1");
    run.succeed("pages", 0, "{\"rows\":1}");
    run.succeed("pages", 2, "7");
    assertThat(run.advance()).containsExactly("all/0/1");
    assertThat(run.command("all/0/1")).isEqualTo("[\"[{\\\"rows\\\":1},null,7]\"]");
  }

  @Test
  void aPartIsTriedAgainForItsCausesAfterABackoffThatDoubles() {
    PaperRun run =
        PaperRun.of(
            """
            - {name: a, retry: {limit: 2, causes: [EXIT_CODE], backoff: 10s}, job: {}}
            """);
    run.advance();
    run.fail("a", 0, FailureCause.EXIT_CODE);
    assertThat(run.advance()).isEmpty();
    run.sleepSeconds(10);
    assertThat(run.advance()).containsExactly("a/0/2");
    run.fail("a", 0, FailureCause.EXIT_CODE);
    run.advance();
    run.sleepSeconds(19);
    assertThat(run.advance()).isEmpty();
    run.sleepSeconds(1);
    assertThat(run.advance()).containsExactly("a/0/3");
    run.fail("a", 0, FailureCause.EXIT_CODE);
    run.advance();
    assertThat(run.outcome()).isEqualTo("FAILED step a failed");
  }

  @Test
  void aPartIsNotTriedAgainForAnotherCause() {
    PaperRun run = PaperRun.of("- {name: a, retry: {limit: 2, causes: [EXIT_CODE]}, job: {}}\n");
    run.advance();
    run.fail("a", 0, FailureCause.TIME_LIMIT);
    run.advance();
    assertThat(run.outcome()).isEqualTo("FAILED step a failed");
  }

  @Test
  void anOutputThatIsNotThereFailsTheStepWithItsReason() {
    PaperRun run =
        PaperRun.of(
            """
            - {name: a, job: {}}
            - {name: b, dependsOn: [a], job: {spec: {command: ["${{ steps.a.output.rows }}"]}}}
            - name: c
              dependsOn: [{step: b, when: always}]
              forEach: ${{ steps.a.output }}
              job: {}
            """);
    run.advance();
    run.succeed("a", 0, "{\"lines\":1}");
    run.advance();
    assertThat(run.states()).isEqualTo("a SUCCEEDED, b FAILED, c FAILED");
    assertThat(run.outcome())
        .isEqualTo(
            "FAILED step b failed: job.spec.command[0]: steps.a.output.rows is not there:"
                + " steps.a.output has no rows");
    assertThat(run.reason("c")).isEqualTo("forEach gives no list: ${{ steps.a.output }}");
  }

  @Test
  void theExitHandlerRunsWhateverBecameOfTheStepsAndKnowsIt() {
    PaperRun run =
        PaperRun.of(
            """
            - {name: a, job: {}}
            - {name: b, dependsOn: [a], job: {}}
            """,
            "{name: bye, job: {spec: {command: ['${{ run.state }}']}}}");
    run.advance();
    run.fail("a", 0, FailureCause.EXIT_CODE);
    assertThat(run.advance()).containsExactly("bye/0/1");
    assertThat(run.command("bye/0/1")).isEqualTo("[\"failed\"]");
    assertThat(run.outcome()).isEmpty();
    run.fail("bye", 0, FailureCause.EXIT_CODE);
    run.advance();
    assertThat(run.outcome()).isEqualTo("FAILED step a failed");
  }

  @Test
  void aRunThatIsToEndCancelsItsJobsAndStillExits() {
    PaperRun run =
        PaperRun.of(
            """
            - {name: a, forEach: [1, 2, 3], maxParallel: 2, job: {}}
            - {name: b, dependsOn: [a], job: {}}
            """,
            "{name: bye, job: {}}");
    run.advance();
    run.end(RunState.CANCELLED);
    assertThat(run.advance()).isEmpty();
    assertThat(run.unwanted()).hasSize(2);
    assertThat(run.states()).isEqualTo("a RUNNING, b CANCELLED");
    run.cancelled("a", 0);
    run.cancelled("a", 1);
    assertThat(run.advance()).containsExactly("bye/0/1");
    run.succeed("bye", 0);
    run.advance();
    assertThat(run.outcome()).isEqualTo("CANCELLED ");
  }

  @Test
  void aStepThatTakesTooLongIsCancelledAndHasFailed() {
    PaperRun run = PaperRun.of("- {name: a, timeLimit: 1m, retry: {limit: 3}, job: {}}\n");
    run.advance();
    run.sleepSeconds(60);
    run.advance();
    assertThat(run.unwanted()).hasSize(1);
    run.cancelled("a", 0);
    run.advance();
    assertThat(run.outcome())
        .isEqualTo("FAILED step a failed: it took longer than its time limit of PT1M");
  }

  @Test
  void whatSucceededIsKeptWhenAStepIsBegunAnew() {
    PaperRun run = PaperRun.of("- {name: a, forEach: [1, 2, 3], job: {}}\n");
    run.advance();
    run.succeed("a", 0);
    run.fail("a", 1, FailureCause.EXIT_CODE);
    run.succeed("a", 2);
    run.advance();
    assertThat(run.outcome()).startsWith("FAILED");
    run.reopen("a");
    assertThat(run.advance()).containsExactly("a/1/2");
    run.succeed("a", 1);
    run.advance();
    assertThat(run.outcome()).isEqualTo("SUCCEEDED ");
  }

  @Test
  void aStepWithoutItemsHasSucceeded() {
    PaperRun run =
        PaperRun.of(
            """
            - {name: a, job: {}}
            - {name: b, dependsOn: [a], forEach: "${{ steps.a.output }}", job: {}}
            """);
    run.advance();
    run.succeed("a", 0, "[]");
    run.advance();
    assertThat(run.outcome()).isEqualTo("SUCCEEDED ");
  }
}
