// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.output.PreviewPage;
import io.sluice.restmodel.explanation.JobExplanation;
import io.sluice.restmodel.explanation.RungView;
import io.sluice.restmodel.fleet.CapacitySupply;
import io.sluice.restmodel.preview.ApplyAnswer;
import io.sluice.restmodel.preview.EditPreview;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Demonstrates a compute class. Its job starts on Spot, which is reclaimed. Spot is out of stock,
 * FlexStart does not come in time, and for the reservation its team lacks quota. An edit of the
 * quota is previewed and applied, the job runs there, and its server is killed and restarted.
 */
final class LadderChapter {
  static final String EVALUATION = "eval";

  /** The number of jobs that it submits. */
  static final int JOBS = 1;

  private static final int EVALUATION_SECONDS = 12;
  private static final String SPOT_SLICE = "/v1/fleet/slices/spot-0";
  private static final String SPOT = "/v1/fleet/capacity/spot";

  private final Stage stage;

  LadderChapter(Stage stage) {
    this.stage = stage;
  }

  /** Restores the part of the fleet that an earlier run on the same data changed. */
  void reset() {
    stage.client().put(SPOT + "?outOfStock=false", CapacitySupply.class);
    stage.client().post(SPOT_SLICE + "/return");
  }

  void tell() throws IOException, InterruptedException {
    stage.heading(
        "Evaluation submits a job of the compute class cost-optimized: Spot first, then "
            + "FlexStart, then the reservation. Spot has a slice.");
    ObjectNode draft = stage.draft("evaluation", EVALUATION, "high", 1, EVALUATION_SECONDS);
    ((ObjectNode) draft.path("spec")).put("computeClass", "cost-optimized");
    stage.submit(draft);
    stage.watchUntil(
        jobs -> evaluation().attempts() > 1 || evaluation().running() || evaluation().ended());
    if (evaluation().attempts() == 1) {
      stage.linger(Duration.ofSeconds(2));
      stage.heading(
          "The provider takes the Spot slice back, with two seconds' notice, and has no "
              + "other. FlexStart is asked and does not come in time; for the reservation "
              + "Evaluation has no quota.");
      stage.client().put(SPOT + "?outOfStock=true", CapacitySupply.class);
      stage.client().post(SPOT_SLICE + "/reclaim?notice=2s");
      stage.watchUntil(jobs -> waitsForQuota() || evaluation().attempts() > 1);
    }
    editQuota();
    stage.watchUntil(jobs -> evaluation().attempts() > 1 || evaluation().ended());
    crash();
    stage.watchUntil(jobs -> evaluation().ended());
  }

  private StoryJob evaluation() {
    return stage.job(EVALUATION);
  }

  /** Whether the job waits for quota after both better rungs are closed. */
  private boolean waitsForQuota() {
    String path = "/v1/jobs/" + evaluation().id() + "/explanation";
    List<RungView> rungs = stage.client().get(path, JobExplanation.class).rungs();
    return rungs != null
        && rungs.stream().filter(rung -> rung.standing().equals("CLOSED")).count() == 2;
  }

  private void editQuota() throws IOException, InterruptedException {
    if (evaluation().attempts() > 1) {
      return;
    }
    stage.linger(Duration.ofSeconds(1));
    stage.heading(
        "An administrator asks what would change if Training gave the quota of one slice to"
            + " Evaluation, and then does it.");
    byte[] edit = Files.readAllBytes(stage.file("edit.yaml"));
    ApplyAnswer answer =
        stage.client().postIdempotent("/v1/apply?dryRun=true", edit, null, ApplyAnswer.class);
    new PreviewPage(stage.terminal()).print(answer);
    EditPreview preview = answer.preview();
    List<String> gains =
        preview == null
            ? List.of()
            : preview.gains().first().stream().map(EditPreview.JobGain::name).toList();
    Files.write(stage.file(previewed(stage)), gains);
    stage.client().postIdempotent("/v1/apply", edit, null);
  }

  /** Returns the name of the file with the jobs that would gain, by the preview. */
  static String previewed(Stage stage) {
    return "previewed-" + stage.run();
  }

  private void crash() throws IOException, InterruptedException {
    Path mark = stage.file("crashed-" + stage.run());
    if (Files.exists(mark)) {
      return;
    }
    stage.watchUntil(jobs -> evaluation().running() || evaluation().ended());
    stage.linger(Duration.ofSeconds(2));
    stage.heading(
        "The server is killed with kill -9 while the job runs, and started again: the "
            + "workers go on meanwhile, and the new server finds them.");
    Files.createFile(mark);
    stage.crashAndReturn();
  }
}
