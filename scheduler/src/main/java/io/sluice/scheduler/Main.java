// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.quarkus.runtime.annotations.QuarkusMain;
import picocli.CommandLine;

/** Where the server's process begins. */
@QuarkusMain
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new UpCommand()).execute(arguments));
  }
}
