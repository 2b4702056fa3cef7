// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.waiting.LogFollower;
import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the logs of a job's pods. */
@Command(
    name = "logs",
    description = "Prints the output of a job's pods.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class LogsCommand implements Callable<Integer> {
  @Mixin ServerOptions server;
  @Mixin JobOptions job;

  @Option(
      names = "--index",
      paramLabel = "N",
      description = "Index of an array, from 0. Default: 0.")
  @Nullable Integer index;

  @Option(
      names = "--attempt",
      paramLabel = "N",
      description = "Number of the attempt, from 1. Default: the last.")
  @Nullable Integer attempt;

  @Option(names = "--pod", paramLabel = "POD", description = "Only this pod. Default: all.")
  @Nullable String pod;

  @Option(
      names = "--tail",
      paramLabel = "BYTES",
      description =
          "Start this many bytes before the end, 0 to 67108864 (64 MiB). Default: at the "
              + "beginning.")
  @Nullable Integer tail;

  @Option(
      names = {"-f", "--follow"},
      description = "Continue until the attempt ends.")
  boolean follow;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServerClient client = server.client();
    String id = NameLookup.id(job.find(client, NameLookup.Purpose.READ));
    if (follow) {
      int wanted = index == null ? 0 : index;
      LogFollower.Wanted log = new LogFollower.Wanted(id, wanted, attempt, pod, tail);
      new LogFollower(client, log, System.out).follow();
      return 0;
    }
    Map<String, @Nullable String> parameters = new LinkedHashMap<>();
    parameters.put("index", index == null ? null : index.toString());
    parameters.put("attempt", attempt == null ? null : attempt.toString());
    parameters.put("pod", pod);
    parameters.put("tail", tail == null ? null : tail.toString());
    String path = ServerClient.query("/v1/jobs/" + id + "/logs", parameters);
    try (InputStream log = client.stream(path)) {
      log.transferTo(System.out);
    }
    System.out.flush();
    return 0;
  }
}
