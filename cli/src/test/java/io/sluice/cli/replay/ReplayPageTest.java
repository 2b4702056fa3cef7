// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Checkout;
import io.sluice.simulator.replay.Estimates;
import io.sluice.simulator.replay.Replay;
import io.sluice.simulator.replay.ReplayPolicy;
import io.sluice.simulator.replay.ReplaySetup;
import io.sluice.simulator.replay.ReplayWatcher;
import io.sluice.simulator.replay.Trace;
import io.sluice.simulator.replay.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The printed measures, and that the page of replays shows them as they are. */
class ReplayPageTest {
  private static final int DEVICES = 32;

  @Test
  void theGuideShowsTheMeasuresOfTheSample() throws IOException {
    Path root = Checkout.root();
    String sample = "examples/trace.csv";
    Trace trace = TraceReader.read(root.resolve(sample), DEVICES, false);
    ReplaySetup setup = new ReplaySetup(DEVICES, ReplayPolicy.EASY, Estimates.USER, false);
    List<String> lines =
        ReplayPage.lines(
            ReplayReport.of(sample, trace, setup, Replay.run(trace, setup, ReplayWatcher.NONE)));
    StringBuilder shown = new StringBuilder();
    for (String line : lines) {
      shown.append("   ").append(line).append('\n');
    }
    assertThat(Files.readString(root.resolve("docs/how-to/replay-a-trace.md"))).contains(shown);
  }
}
