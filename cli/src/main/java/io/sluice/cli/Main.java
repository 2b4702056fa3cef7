// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.bench.BenchCommand;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.completion.CompletionCommand;
import io.sluice.cli.demo.DemoCommand;
import io.sluice.cli.edit.DiffCommand;
import io.sluice.cli.edit.EditCommand;
import io.sluice.cli.fields.ExplainFieldCommand;
import io.sluice.cli.fleet.CapacityCommand;
import io.sluice.cli.fleet.HostCommand;
import io.sluice.cli.fleet.SliceCommand;
import io.sluice.cli.listing.GetCommand;
import io.sluice.cli.login.CanICommand;
import io.sluice.cli.login.LoginCommand;
import io.sluice.cli.login.LogoutCommand;
import io.sluice.cli.login.OpenCommand;
import io.sluice.cli.login.SessionCommand;
import io.sluice.cli.login.WhoAmICommand;
import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.pipeline.RunCommand;
import io.sluice.cli.pipeline.ScheduleCommand;
import io.sluice.cli.replay.ExportTraceCommand;
import io.sluice.cli.replay.ReplayCommand;
import io.sluice.cli.simulation.SimulateCommand;
import io.sluice.cli.token.TokenCommand;
import io.sluice.cli.waiting.TopCommand;
import io.sluice.cli.waiting.WaitCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The command line: {@code sluice COMMAND}. */
@Command(
    name = "sluice",
    description = "Batch queueing and quota scheduling for accelerator fleets.",
    mixinStandardHelpOptions = true,
    version = "sluice 0.1.0",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "The server itself: sluice up (see sluice up --help).",
      "A server's data from a backup: sluice restore (see sluice restore --help).",
      "Exit codes: 0 done, 1 failed or different, 2 wrong usage, 3 no server answers,",
      "4 refused by the server, 124 timeout of a wait."
    },
    subcommands = {
      DemoCommand.class,
      ApplyCommand.class,
      SubmitCommand.class,
      SimulateCommand.class,
      DiffCommand.class,
      EditCommand.class,
      GetCommand.class,
      ExplainCommand.class,
      ExplainFieldCommand.class,
      HistoryCommand.class,
      LogsCommand.class,
      WaitCommand.class,
      TopCommand.class,
      AuditCommand.class,
      RunCommand.class,
      ScheduleCommand.class,
      CancelCommand.class,
      HoldCommand.class,
      ReleaseCommand.class,
      ConfirmLostCommand.class,
      LimitCommand.class,
      PrioritizeCommand.class,
      ResubmitCommand.class,
      DeleteCommand.class,
      CapacityCommand.class,
      SliceCommand.class,
      HostCommand.class,
      RecheckCommand.class,
      BackupCommand.class,
      KueueCommand.class,
      OpenCommand.class,
      LoginCommand.class,
      LogoutCommand.class,
      WhoAmICommand.class,
      CanICommand.class,
      SessionCommand.class,
      TokenCommand.class,
      ConfigCommand.class,
      CompletionCommand.class,
      ReplayCommand.class,
      BenchCommand.class,
      ExportTraceCommand.class,
      DecideCommand.class,
      HelpCommand.class
    })
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Main());
    commandLine.setUsageHelpAutoWidth(true);
    commandLine.setExecutionStrategy(ContextNamespace::execute);
    commandLine.setParameterExceptionHandler(UsageError::handle);
    commandLine.setExecutionExceptionHandler(
        (failure, command, result) -> {
          if (failure instanceof WrongUsageException wrong) {
            return UsageError.handle(wrong, command);
          }
          if (failure instanceof ClientException client) {
            command.getErr().println("sluice: " + failure.getMessage());
            return ExitCode.of(client);
          }
          throw failure;
        });
    return commandLine;
  }
}
