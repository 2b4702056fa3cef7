// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.WrongUsageException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints a usage error: the error, a suggestion, and where to read more. */
final class UsageError {
  private UsageError() {}

  /** Prints three lines about arguments that could not be parsed; returns the exit code. */
  static int handle(ParameterException error, String... arguments) {
    CommandLine command = error.getCommandLine();
    return print(command, firstLine(error), suggestion(error, command));
  }

  /** Prints three lines about an invalid combination of arguments; returns the exit code. */
  static int handle(WrongUsageException error, CommandLine command) {
    return print(command, String.valueOf(error.getMessage()), usage(command));
  }

  private static int print(CommandLine command, String error, String hint) {
    PrintWriter err = command.getErr();
    err.println("sluice: " + error);
    err.println(hint);
    err.println("See " + command.getCommandSpec().qualifiedName() + " --help.");
    err.flush();
    return ExitCode.USAGE;
  }

  private static String firstLine(ParameterException error) {
    String message = String.valueOf(error.getMessage());
    return message.lines().findFirst().orElse(message);
  }

  /** Returns a similar command or option; otherwise the command's usage. */
  private static String suggestion(ParameterException error, CommandLine command) {
    if (error instanceof UnmatchedArgumentException unmatched) {
      List<String> suggestions = unmatched.getSuggestions();
      if (!suggestions.isEmpty()) {
        return "Did you mean " + String.join(" or ", suggestions) + "?";
      }
    }
    return usage(command);
  }

  private static String usage(CommandLine command) {
    String synopsis =
        new CommandLine.Help(
                command.getCommandSpec(),
                CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
            .abbreviatedSynopsis();
    return "Usage: " + synopsis.strip();
  }
}
