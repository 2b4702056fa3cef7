// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ServerClient;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Holds jobs. */
@Command(
    name = "hold",
    description = "Holds jobs: nothing of them is admitted until they are released.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class HoldCommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Namespace of jobs that are named.")
  @Nullable String namespace;

  @Option(
      names = "--leave-running",
      description = "Let what of them runs go on; without it that is evicted and drains.")
  boolean leaveRunning;

  @Parameters(paramLabel = "JOB", arity = "1..*", description = "Names or ids.")
  List<String> jobs;

  @Override
  public Integer call() {
    ServerClient client = server.client();
    JobLookup lookup = new JobLookup(client, namespace);
    for (String job : jobs) {
      JsonNode found = lookup.find(job);
      String name = found.path("metadata").path("name").asText();
      if (JobLookup.lives(found)) {
        client.post(
            "/v1/jobs/"
                + found.path("id").asText()
                + "/hold?running="
                + (leaveRunning ? "leave" : "evict"));
        System.out.println("job/" + name + " is being held");
      } else {
        System.out.println(
            "job/" + name + " has ended: " + found.path("status").path("state").asText());
      }
    }
    return 0;
  }
}
