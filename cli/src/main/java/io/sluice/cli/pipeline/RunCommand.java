// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.NameLookup;
import io.sluice.restmodel.pipeline.Run;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The commands for runs of pipelines. */
@Command(
    name = "run",
    description = "Starts, shows, cancels and repeats runs of pipelines.",
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
    Run run = client.post("/v1/runs/" + id + "/" + wish, Run.class);
    System.out.println("run/" + run.name() + " " + doing);
  }

  /** Cancels a run. */
  @Command(
      name = "cancel",
      description = "Cancels the running steps of a run, then runs its exit handler.",
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

  /** Resumes a run that failed or was cancelled. */
  @Command(
      name = "resume",
      description = "Resumes a failed or cancelled run at the steps that did not succeed.",
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
      description = "Runs a step of an ended run again, and all steps that depend on it.",
      mixinStandardHelpOptions = true)
  @SuppressWarnings("NullAway.Init") // picocli fills the fields.
  static final class Rerun implements Callable<Integer> {
    @Mixin RunOptions options;

    @Parameters(index = "1", paramLabel = "STEP", description = "Name of the step.")
    String step;

    @Override
    public Integer call() {
      ask(options, "steps/" + ServerClient.encode(step) + "/rerun", "runs " + step + " again");
      return 0;
    }
  }
}
