// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Creates or changes quota objects and submits jobs from manifests. */
@Command(
    name = "apply",
    description =
        "Creates or changes quota objects, and submits jobs, from manifests; all or none.",
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class ApplyCommand implements Callable<Integer> {
  @Mixin ServerOptions server;

  @Option(
      names = {"-f", "--filename"},
      required = true,
      paramLabel = "FILE",
      description =
          "Manifests, YAML or JSON: a file, a folder, or - for standard input. Repeatable.")
  List<String> files;

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description = "Applied again with the same key, jobs are submitted once.")
  @Nullable String key;

  @Override
  public Integer call() {
    JsonNode answer = server.client().postIdempotent("/v1/apply", Inputs.read(files), key);
    for (JsonNode result : answer.path("results")) {
      String namespace = result.path("namespace").asText("");
      String id = result.has("id") ? " (" + result.path("id").asText() + ")" : "";
      System.out.println(
          result.path("kind").asText().toLowerCase(Locale.ROOT)
              + "/"
              + (namespace.isEmpty() ? "" : namespace + "/")
              + result.path("name").asText()
              + " "
              + result.path("result").asText()
              + id);
    }
    return 0;
  }
}
