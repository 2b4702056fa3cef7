// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.output.RunPage;
import io.sluice.cli.waiting.LogFollower;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the logs of a step's pods. */
@Command(
    name = "logs",
    description = "Prints the output of the pods of a step.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class RunLogsCommand implements Callable<Integer> {
  @Mixin RunOptions options;

  @Parameters(index = "1", paramLabel = "STEP", description = "Name of the step.")
  String step;

  @Option(
      names = "--part",
      paramLabel = "N",
      description = "Part of a step that fans out, from 0. Default: all, one after another.")
  @Nullable Integer part;

  @Option(
      names = "--try",
      paramLabel = "N",
      description = "Number of the try, from 1. Default: the last.")
  @Nullable Integer tryNumber;

  @Option(
      names = {"-f", "--follow"},
      description = "Continue until the try ends.")
  boolean follow;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServerClient client = options.client();
    String id = options.id(client, NameLookup.Purpose.READ);
    for (String job : jobs(client.get("/v1/runs/" + id))) {
      print(client, job);
    }
    return 0;
  }

  private void print(ServerClient client, String job) throws IOException, InterruptedException {
    if (follow) {
      LogFollower.Wanted log = new LogFollower.Wanted(job, 0, null, null, null);
      new LogFollower(client, log, System.out).follow();
      return;
    }
    try (InputStream log = client.stream("/v1/jobs/" + job + "/logs")) {
      log.transferTo(System.out);
    }
    System.out.flush();
  }

  private List<String> jobs(JsonNode run) {
    JsonNode wanted = null;
    for (JsonNode one : run.path("steps")) {
      if (one.path("name").asText().equals(step)) {
        wanted = one;
      }
    }
    if (wanted == null) {
      throw new ClientException("run " + run.path("name").asText() + " has no step " + step);
    }
    List<JsonNode> tries = new ArrayList<>();
    if (tryNumber == null) {
      tries.addAll(RunPage.last(wanted));
    } else {
      wanted.path("parts").forEach(tries::add);
    }
    List<String> jobs = new ArrayList<>();
    for (JsonNode one : tries) {
      boolean meant =
          (part == null || one.path("part").asInt() == part)
              && (tryNumber == null || one.path("try").asInt() == tryNumber);
      if (meant && one.has("job")) {
        jobs.add(one.path("job").asText());
      }
    }
    if (jobs.isEmpty()) {
      throw new ClientException("no matching job of step " + step + " was submitted yet");
    }
    return jobs;
  }
}
