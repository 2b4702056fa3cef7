// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.scheduler.execution.Launch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Simulated attempts that go on in a new generation. */
class SimulatedResizeTest {
  private final BlockingQueue<AttemptReport> reports = new LinkedBlockingQueue<>();
  private final SimulatedExecutor executor = new SimulatedExecutor(reports::add);
  private final AttemptKey attempt = new AttemptKey(new JobId(UUID.randomUUID()), 0, 1);

  @BeforeEach
  void lead() {
    executor.actUnder(() -> true);
  }

  @AfterEach
  void close() {
    executor.close();
  }

  private Launch launch(int generation, AttemptState state, Launch.Earlier earlier) {
    Labels annotations = Labels.of(Map.of(SimulatedRun.RUN_TIME, "PT3S"));
    JobSpec job =
        new JobSpec(
            new ObjectMeta("team", "job", Labels.NONE, annotations),
            "queue",
            JobSpec.PrioritySpec.NONE,
            List.of(),
            null,
            new JobLimits(null, Duration.ZERO, 0),
            JobArray.SINGLE);
    Assignment assignment = new Assignment("q", List.of(), List.of("s"));
    return new Launch(attempt, generation, state, job, assignment, earlier);
  }

  private static Launch.Earlier after(Duration ranFor, @Nullable Duration grace) {
    return new Launch.Earlier(ranFor, null, grace);
  }

  private AttemptReport next() throws InterruptedException {
    AttemptReport report = reports.poll(30, TimeUnit.SECONDS);
    assertThat(report).isNotNull();
    return report;
  }

  @Test
  void theNewGenerationIsReportedStartedAndEndsOnceInThePlaceOfTheOld() throws Exception {
    executor.start(launch(1, AttemptState.ADMITTED, Launch.Earlier.NOTHING));
    assertThat(next().kind()).isEqualTo(Kind.STARTED);
    Launch resized = launch(2, AttemptState.RUNNING, after(Duration.ofSeconds(2), Duration.ZERO));
    executor.start(resized);
    executor.start(resized);
    executor.start(launch(1, AttemptState.RUNNING, Launch.Earlier.NOTHING));

    assertThat(next()).isEqualTo(new AttemptReport(attempt, 2, Kind.STARTED, null, ""));
    assertThat(next()).isEqualTo(new AttemptReport(attempt, 2, Kind.FINISHED, null, ""));
    assertThat(reports.poll(3, TimeUnit.SECONDS)).isNull();
  }

  @Test
  void whoeverTakesOverStartsTheGenerationThatNobodyReported() throws Exception {
    Launch resized = launch(2, AttemptState.RUNNING, after(Duration.ofSeconds(3), Duration.ZERO));
    executor.recover(List.of(resized));
    assertThat(reports).isEmpty();
    executor.start(resized);

    assertThat(next().kind()).isEqualTo(Kind.STARTED);
    assertThat(next().kind()).isEqualTo(Kind.FINISHED);
  }
}
