// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.BackupDownload;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Writes a backup of a running server's database to a file. */
@Command(
    name = "backup",
    description = {
      "Writes a backup of a running server to FILE, while jobs are submitted and run.",
      "",
      "The backup contains every job that was acknowledged before, but no logs of jobs. FILE"
          + " appears when it is complete, readable by its owner only, because it contains manifests."
    },
    footer = {"", "Requires the role admin. ./sluice restore restores it."},
    sortOptions = false,
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class BackupCommand implements Callable<Integer> {
  private static final double KIBIBYTE = 1 << 10;
  private static final double MEBIBYTE = 1 << 20;

  @Mixin ServerOptions server;

  @Parameters(paramLabel = "FILE", description = "File to write. It must not exist.")
  Path file;

  @Override
  public Integer call() {
    if (Files.exists(file)) {
      throw new ClientException(file + " exists; name a file that does not");
    }
    Terminal terminal = Terminal.standard();
    try (InputStream stream = server.client().stream("/v1/backup")) {
      long bytes =
          new BackupDownload(file)
              .store(stream, written -> terminal.redraw(List.of(size(written) + " so far")));
      terminal.print("backup of " + size(bytes) + " in " + file);
      return 0;
    } catch (IOException failure) {
      throw new ClientException("no backup was written to " + file + ": " + failure.getMessage());
    }
  }

  private static String size(long bytes) {
    return bytes < MEBIBYTE
        ? "%.1f KiB".formatted(bytes / KIBIBYTE)
        : "%.1f MiB".formatted(bytes / MEBIBYTE);
  }
}
