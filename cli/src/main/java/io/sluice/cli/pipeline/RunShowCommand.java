// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.form.OutputForm;
import io.sluice.cli.options.LifeState;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.output.RunPage;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.watching.Reconnection;
import io.sluice.cli.watching.WatchedObject;
import io.sluice.restmodel.pipeline.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows a run as a graph. */
@Command(
    name = "show",
    description = "Draws the steps of a run with their dependencies, states and times.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class RunShowCommand implements Callable<Integer> {
  /** The oldest reason that is shown: what a job waits for changes without an event of its run. */
  private static final Duration REASON_MAX = Duration.ofSeconds(5);

  @Mixin RunOptions options;

  @Option(
      names = {"-w", "--watch"},
      description = "Refresh the output until the run ends.")
  boolean watch;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "graph",
      description =
          "Output format: graph, " + OutputForm.OF_OBJECTS + ". Default: ${DEFAULT-VALUE}.")
  String output;

  @Override
  public Integer call() throws InterruptedException {
    OutputForm form = OutputForm.parse(output, "graph");
    ServerClient client = options.client();
    Terminal terminal = Terminal.standard();
    String id = options.id(client, NameLookup.Purpose.READ);
    String path = "/v1/runs/" + id;
    WatchedObject watched = WatchedObject.run(client, new Reconnection(client), id);
    JsonNode answer = watch ? watched.next(REASON_MAX) : client.get(path);
    if (!form.is("graph")) {
      terminal.print(form.object(answer));
      return 0;
    }
    Run run = JsonRecords.read(answer, Run.class, path);
    RunProgress progress = new RunProgress();
    while (watch && LifeState.live(run.state())) {
      if (terminal.interactive()) {
        terminal.redraw(lines(terminal, run));
      } else {
        // A program or file gets the changes, not the same page repeatedly.
        terminal.print(progress.changes(run, Instant.now()));
      }
      run = JsonRecords.read(watched.next(REASON_MAX), Run.class, path);
    }
    if (watch && terminal.interactive()) {
      terminal.redraw(lines(terminal, run));
    } else {
      terminal.print(lines(terminal, run));
    }
    return 0;
  }

  private static List<String> lines(Terminal terminal, Run run) {
    return new RunPage(terminal, Instant.now()).lines(run);
  }
}
