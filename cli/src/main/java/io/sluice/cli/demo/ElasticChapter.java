// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.output.Terminal;
import io.sluice.restmodel.job.AttemptResize;
import io.sluice.restmodel.job.AttemptView;
import io.sluice.restmodel.job.JobEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Demonstrates an elastic job: with a minimum of one Spot slice and two in use, it loses one,
 * continues on the other from its checkpoint, and grows again when the slice is back. It starts
 * before the other chapters and ends after them, since a minute must pass before an attempt that
 * shrank may grow.
 */
final class ElasticChapter {
  static final String SEARCH = "search";

  /** The number of jobs that it submits. */
  static final int JOBS = 1;

  private static final int EVENTS_MAX = 500;
  private static final String SLICE = "/v1/fleet/slices/lite-1";
  private static final Set<String> TOLD =
      Set.of(
          "Admitted",
          "AttemptResized",
          "CheckpointReported",
          "GenerationSettled",
          "AttemptEnded",
          "JobFinished");

  private final Stage stage;

  ElasticChapter(Stage stage) {
    this.stage = stage;
  }

  /** Restores the part of the fleet that an earlier run on the same data changed. */
  void reset() {
    stage.client().post(SLICE + "/return");
  }

  void begin() throws InterruptedException {
    stage.heading(
        "A fourth team, tuning, submits an elastic job: two slices of Spot, or one if there is no"
            + " more.");
    stage.submit(draft());
    stage.watchUntil(jobs -> search().running() || search().ended());
    if (generation() == 1) {
      stage.linger(Duration.ofSeconds(1));
      stage.heading(
          "The provider takes one of them back, with five seconds' notice. The job saves a"
              + " checkpoint and goes on with the other slice; nothing has failed.");
      stage.client().post(SLICE + "/reclaim?notice=5s");
      stage.watchUntil(jobs -> goesOn(2, 1) || search().ended());
    }
    tellEvents();
    stage.client().post(SLICE + "/return");
  }

  void end() throws IOException, InterruptedException {
    stage.heading("Tuning's slice has been back for a while, and nobody else can use it.");
    stage.watchUntil(jobs -> goesOn(3, 2) || search().ended());
    stage.linger(Duration.ofSeconds(1));
    if (!Files.exists(stage.file(enough()))) {
      Files.createFile(stage.file(enough()));
    }
    stage.watchUntil(jobs -> search().ended());
    tellEvents();
  }

  private ObjectNode draft() {
    ObjectNode draft = stage.draft("tuning", SEARCH, "high", 2, 0);
    ObjectNode spec = (ObjectNode) draft.path("spec");
    ObjectNode accelerator = (ObjectNode) spec.path("accelerator");
    accelerator.put("type", "v5e");
    accelerator.putObject("slices").put("min", 1).put("max", 2);
    spec.putArray("command")
        .add("sh")
        .add(stage.file("elastic.sh").toString())
        .add(stage.file(enough()).toString())
        .add(stage.file("books").toString());
    spec.put("gracePeriod", "5s");
    return draft;
  }

  /** Returns the name of the file whose existence ends the job. */
  private String enough() {
    return "enough-" + stage.run();
  }

  private StoryJob search() {
    return stage.job(SEARCH);
  }

  /** Returns the last attempt; null if there is none yet. */
  private @Nullable AttemptView attempt() {
    String path = "/v1/jobs/" + search().id() + "/attempts?limit=1";
    List<AttemptView> last = stage.client().list(path, 1, AttemptView.class);
    return last.isEmpty() ? null : last.get(0);
  }

  private int generation() {
    AttemptView attempt = attempt();
    return attempt == null ? 0 : attempt.generation();
  }

  /** Whether that generation, or a later one, runs on that number of slices. */
  private boolean goesOn(int generation, int slices) {
    AttemptView attempt = attempt();
    AttemptResize resize = attempt == null ? null : attempt.lastResize();
    return attempt != null
        && attempt.generation() >= generation
        && attempt.assignment().slices().size() == slices
        && resize != null
        && resize.settled();
  }

  private void tellEvents() {
    Terminal terminal = stage.terminal();
    stage.finish();
    for (String line : events()) {
      terminal.print("  " + line);
    }
  }

  private List<String> events() {
    List<String> lines = new ArrayList<>();
    String path = "/v1/jobs/" + search().id() + "/events?limit=" + EVENTS_MAX;
    for (JobEvent event : stage.client().list(path, EVENTS_MAX, JobEvent.class)) {
      if (TOLD.contains(event.kind())) {
        lines.add(event.text());
      }
    }
    return lines;
  }
}
