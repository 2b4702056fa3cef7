// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.replay;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.OutputFile;
import io.sluice.cli.output.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes the history of a server as a trace. */
@Command(
    name = "export-trace",
    description = {
      "Writes the ended jobs of the server as a trace for replay: a line for each index that ran,"
          + " with the time that all its attempts ran, rounded up to seconds.",
      "devices is what it used of a resource, team its ClusterQueue, and estimate_s its time limit."
          + " Jobs that used nothing of the resource are left out."
    },
    footer = {
      "",
      "For example: sluice export-trace month.csv.gz --since 2026-10-01T00:00:00Z",
      "             sluice replay month.csv.gz --devices 256 --policy planned"
    },
    sortOptions = false,
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
public final class ExportTraceCommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Parameters(
      paramLabel = "FILE",
      description = "The file to write; with the ending .gz it is compressed.")
  Path file;

  @Option(
      names = "--resource",
      paramLabel = "NAME",
      defaultValue = "google.com/tpu",
      description =
          "The resource whose whole units are the devices, such as cpu or nvidia.com/gpu. Default:"
              + " ${DEFAULT-VALUE}.")
  String resource;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description = "Only jobs submitted from this time on, as 2026-11-21T15:09:29Z.")
  @Nullable Instant since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "Only jobs submitted before this time.")
  @Nullable Instant until;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Only jobs of this namespace.")
  @Nullable String namespace;

  @Option(
      names = "--clusterqueue",
      paramLabel = "NAME",
      description = "Only jobs of this ClusterQueue.")
  @Nullable String clusterQueue;

  @Option(
      names = {"-q", "--quiet"},
      description = "Shows no progress.")
  boolean quiet;

  @Override
  public Integer call() {
    Map<String, @Nullable String> filter = new LinkedHashMap<>();
    filter.put("since", since == null ? null : since.toString());
    filter.put("until", until == null ? null : until.toString());
    filter.put("namespace", namespace);
    filter.put("clusterQueue", clusterQueue);
    try (OutputFile written = OutputFile.open(file)) {
      ExportProgress progress = new ExportProgress(quiet);
      HistoryTrace trace = new HistoryTrace(server.client(), resource, progress);
      trace.read(filter);
      progress.end();
      if (trace.size() == 0) {
        throw new ClientException(
            "nothing to write: of %d ended jobs, none used %s".formatted(trace.jobs(), resource));
      }
      written.write(trace::writeTo);
      written.keep();
      Terminal.standard()
          .print(
              "%s: %d lines of %d ended jobs, up to %d devices of %s each"
                  .formatted(file, trace.size(), trace.jobs(), trace.devicesMax(), resource));
    } catch (IOException failed) {
      throw new ClientException("cannot write " + file + ": " + failed);
    }
    return 0;
  }
}
