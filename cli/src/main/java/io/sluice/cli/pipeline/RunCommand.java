// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.NameLookup;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What is done with runs of pipelines. */
@Command(
    name = "run",
    description = "Runs of pipelines: start, show, logs, cancel, resume, rerun.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      RunStartCommand.class,
      RunShowCommand.class,
      RunLogsCommand.class,
      RunCommand.Cancel.class,
      RunCommand.Resume.class,
      RunCommand.Rerun.class,
      HelpCommand.class
    })
public final class RunCommand {
  private RunCommand() {}

  private static void ask(RunOptions options, String wish, String doing) {
    ServerClient client = options.client();
    String id = options.id(client, NameLookup.Purpose.CHANGE);
    JsonNode run = client.post("/v1/runs/" + id + "/" + wish);
    System.out.println("run/" + run.path("name").asText() + " " + doing);
  }

  /** Cancels a run. */
  @Command(
      name = "cancel",
      description = "Cancels what runs of a run; then its exit handler runs.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Cancel implements Callable<Integer> {
    @Mixin RunOptions options;

    @Override
    public Integer call() {
      ask(options, "cancel", "is being cancelled");
      return 0;
    }
  }

  /** Takes up a run that failed or was cancelled. */
  @Command(
      name = "resume",
      description = "Takes up a run that failed or was cancelled, at what did not succeed.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Resume implements Callable<Integer> {
    @Mixin RunOptions options;

    @Override
    public Integer call() {
      ask(options, "resume", "goes on");
      return 0;
    }
  }

  /** Runs a step again. */
  @Command(
      name = "rerun",
      description = "Runs a step of a run that has ended again, and all that wait for it.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Rerun implements Callable<Integer> {
    @Mixin RunOptions options;

    @Parameters(index = "1", paramLabel = "STEP")
    String step;

    @Override
    public Integer call() {
      ask(options, "steps/" + ServerClient.encode(step) + "/rerun", "runs " + step + " again");
      return 0;
    }
  }
}
