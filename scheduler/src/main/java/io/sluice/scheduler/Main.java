// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Where the server's process begins. */
@QuarkusMain
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    CommandLine commandLine = new CommandLine(new UpCommand());
    commandLine.setParameterExceptionHandler(Main::refuse);
    System.exit(commandLine.execute(arguments));
  }

  /** Three lines about wrong usage, as of every other command; the usage itself is a page. */
  static int refuse(ParameterException error, String... arguments) {
    CommandLine command = error.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("sluice: " + String.valueOf(error.getMessage()).lines().findFirst().orElse(""));
    err.println("Usage: " + command.getHelp().abbreviatedSynopsis().strip());
    err.println("See sluice up --help.");
    err.flush();
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }
}
