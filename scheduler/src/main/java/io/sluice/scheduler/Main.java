// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.quarkus.runtime.annotations.QuarkusMain;
import java.util.Arrays;
import picocli.CommandLine;

/** Where the server's process begins. */
@QuarkusMain
public final class Main {
  /**
   * The first argument that asks for a restore instead of a server, whose options begin with --.
   */
  private static final String RESTORE = "restore";

  private Main() {}

  public static void main(String[] arguments) {
    boolean restores = arguments.length > 0 && arguments[0].equals(RESTORE);
    System.exit(
        restores
            ? new CommandLine(new RestoreCommand())
                .execute(Arrays.copyOfRange(arguments, 1, arguments.length))
            : new CommandLine(new UpCommand()).execute(arguments));
  }
}
