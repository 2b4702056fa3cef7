// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;

/**
 * Demonstrates quota of two teams on four slices. A low-priority sweep fills all of them, half on
 * borrowed quota. A training job of two slices reclaims its team's half, for which as many jobs of
 * the sweep are preempted. They return when it has ended.
 */
final class SharingChapter {
  static final String TRAINING = "train";

  /** The number of jobs that it submits. */
  static final int JOBS = 7;

  private static final int SLICES = 4;
  private static final int SWEEP_SECONDS = 7;
  private static final int TRAINING_SECONDS = 6;

  /** Bounds the jobs, so that whoever waits for them gets a planned start. */
  private static final String TIME_LIMIT = "1m";

  private final Stage stage;

  SharingChapter(Stage stage) {
    this.stage = stage;
  }

  void tell() throws InterruptedException {
    stage.heading(
        "Research submits a sweep of "
            + (JOBS - 1)
            + " preemptible jobs, one slice each: four run, two of them on quota borrowed from"
            + " training.");
    for (int number = 1; number < JOBS; number++) {
      submit("research", "sweep-" + number, "low", 1, SWEEP_SECONDS);
    }
    boolean resumed = stage.jobs().stream().anyMatch(StoryJob::training);
    if (!resumed) {
      stage.watchUntil(jobs -> running(jobs) == SLICES);
      stage.linger(Duration.ofSeconds(2));
      stage.heading("The others wait. Each job has a time limit, so each wait has an end:");
      stage.terminal().print(StartDates.waiting(stage.client(), stage.jobs()));
    }
    stage.heading(
        "Training submits one job of two whole slices. Its quota is lent out, so it is "
            + "claimed back: the newest of the sweep make room.");
    submit("training", TRAINING, "high", 2, TRAINING_SECONDS);
    stage.watchUntil(jobs -> jobs.stream().filter(SharingChapter::own).allMatch(StoryJob::ended));
  }

  private void submit(String team, String name, String priority, int slices, int seconds) {
    ObjectNode draft = stage.draft(team, name, priority, slices, seconds);
    draft.withObject("/spec").put("timeLimit", TIME_LIMIT);
    stage.submit(draft);
  }

  private static long running(List<StoryJob> jobs) {
    return jobs.stream().filter(SharingChapter::own).filter(StoryJob::running).count();
  }

  private static boolean own(StoryJob job) {
    return !job.ladder() && !job.elastic();
  }
}
