// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.demo;

import io.sluice.cli.output.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** Runs the chapters of the demonstration and checks their outcome. */
final class DemoStory {
  private final Stage stage;

  DemoStory(DemoServer server, Terminal terminal) {
    this.stage =
        new Stage(server, terminal, SharingChapter.JOBS + LadderChapter.JOBS + ElasticChapter.JOBS);
  }

  /**
   * Runs the demonstration.
   *
   * @return whether all checks passed
   */
  boolean tell() throws IOException, InterruptedException {
    Terminal terminal = stage.terminal();
    SharingChapter sharing = new SharingChapter(stage);
    LadderChapter ladder = new LadderChapter(stage);
    ElasticChapter elastic = new ElasticChapter(stage);
    stage.heading(
        "Two teams, research and training, share four reserved v6e slices of 16 chips, "
            + "half each. A third, evaluation, has quota for Spot and FlexStart only, a fourth, tuning, for Spot of another type.");
    if (stage.jobs().isEmpty()) {
      stage
          .client()
          .postIdempotent("/v1/apply", Files.readAllBytes(stage.file("quota.yaml")), null);
      ladder.reset();
      elastic.reset();
    }
    elastic.begin();
    sharing.tell();
    ladder.tell();
    elastic.end();
    stage.finish();
    List<StoryJob> jobs = stage.jobs();
    terminal.print("");
    terminal.print(new Timeline(stage.client(), jobs).lines());
    terminal.print("");
    List<StartDates.Kept> kept = StartDates.kept(stage.client(), jobs);
    if (!kept.isEmpty()) {
      terminal.print("Planned starts, and when the jobs started:");
      terminal.print(StartDates.table(kept));
      terminal.print("");
    }
    List<String> gains = Files.readAllLines(stage.file(LadderChapter.previewed(stage)));
    return new Verdict(stage.client(), jobs, stage.file("books"), gains, kept).print(terminal);
  }
}
