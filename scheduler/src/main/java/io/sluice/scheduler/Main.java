// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.PrintWriter;
import java.util.Arrays;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The entry point of the server's process. */
@QuarkusMain
public final class Main {
  /** The first argument that requests a restore instead of a server; options begin with --. */
  private static final String RESTORE = "restore";

  private Main() {}

  public static void main(String[] arguments) {
    boolean restores = arguments.length > 0 && arguments[0].equals(RESTORE);
    CommandLine commandLine = new CommandLine(restores ? new RestoreCommand() : new UpCommand());
    commandLine.setParameterExceptionHandler(Main::refuse);
    System.exit(
        commandLine.execute(
            restores ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments));
  }

  /**
   * Prints three lines about the usage error, as every other command does; the full usage is a
   * page.
   */
  static int refuse(ParameterException error, String... arguments) {
    CommandLine command = error.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("sluice: " + String.valueOf(error.getMessage()).lines().findFirst().orElse(""));
    err.println("Usage: " + command.getHelp().abbreviatedSynopsis().strip());
    err.println("See " + command.getCommandSpec().qualifiedName() + " --help.");
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }
}
