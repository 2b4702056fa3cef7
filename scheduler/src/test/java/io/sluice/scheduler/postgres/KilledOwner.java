// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/** The main class of a process that starts a server, commits, and is killed by the test. */
final class KilledOwner {
  static final String COMMITTED = "committed";

  private KilledOwner() {}

  static Process start(Path directory) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            KilledOwner.class.getName(),
            directory.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  public static void main(String[] arguments) throws IOException, SQLException {
    EmbeddedPostgres server =
        EmbeddedPostgres.start(Path.of(arguments[0]), PostgresSettings.forKeptData());
    Sql.on(server).execute("CREATE TABLE committed AS SELECT generate_series(1, 1000)");
    System.out.println(COMMITTED);
    // Ends with the test at the latest.
    System.in.transferTo(System.out);
    server.close();
  }
}
