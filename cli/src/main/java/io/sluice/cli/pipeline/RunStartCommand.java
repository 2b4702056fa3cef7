// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.LifeState;
import io.sluice.cli.options.NameLookup;
import io.sluice.cli.options.NamedKind;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.watching.Reconnection;
import io.sluice.cli.watching.WatchedObject;
import io.sluice.restmodel.administration.NamedObject;
import io.sluice.restmodel.pipeline.Run;
import io.sluice.restmodel.pipeline.RunRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Starts a run of a pipeline. */
@Command(
    name = "start",
    description = "Starts a run of a pipeline.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class RunStartCommand implements Callable<Integer> {
  /** The end of a run is an event; this is for servers that have none. */
  private static final Duration READ_AGAIN = Duration.ofMinutes(1);

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  @Mixin ServerOptions server;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NS",
      description = "Namespace of the pipeline. Default: all in which you may act.")
  @Nullable String namespace;

  @Option(
      names = {"-p", "--parameter"},
      paramLabel = "NAME=VALUE",
      description =
          "Parameter of the run. A value that is valid JSON is passed as JSON, any other "
              + "as a string. Repeatable.")
  @Nullable Map<String, String> parameters;

  @Option(
      names = "--logical-time",
      paramLabel = "TIME",
      description = "Logical time of the run, such as 2026-11-21T02:00:00Z. Default: now.")
  @Nullable String logicalTime;

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description =
          "Idempotency key, at most 200 characters. A repeated start with the same key "
              + "returns the same run.")
  @Nullable String key;

  @Option(names = "--wait", description = "Wait for the end. Exit code 1 if it did not succeed.")
  boolean wait;

  @Parameters(paramLabel = "PIPELINE", description = "NAME or NAMESPACE/NAME.")
  String pipeline;

  @Override
  public Integer call() throws InterruptedException {
    ServerClient client = server.client();
    NamedObject found =
        new NameLookup(client, namespace)
            .find(NamedKind.PIPELINE, pipeline, NameLookup.Purpose.CHANGE);
    String path =
        "/v1/pipelines/%s/%s/runs"
            .formatted(ServerClient.encode(found.namespace()), ServerClient.encode(found.name()));
    Run run = client.postIdempotent(path, JsonRecords.write(request()), key, Run.class);
    String id = run.id();
    System.out.println("run/" + run.name() + " started (" + id + ")");
    WatchedObject watch = WatchedObject.run(client, new Reconnection(client), id);
    while (wait && LifeState.live(run.state())) {
      run = JsonRecords.read(watch.next(READ_AGAIN), Run.class, "/v1/runs/" + id);
    }
    if (!wait) {
      return 0;
    }
    String reason = run.reason() == null ? "" : ": " + run.reason();
    System.out.println("run/" + run.name() + " " + run.state() + reason);
    return run.state().equals("SUCCEEDED") ? ExitCode.OK : ExitCode.FAILED;
  }

  private RunRequest request() {
    Map<String, Object> values = new LinkedHashMap<>();
    if (parameters != null) {
      parameters.forEach((name, value) -> values.put(name, value(value)));
    }
    return new RunRequest(
        values, logicalTime == null ? null : Times.parse("--logical-time", logicalTime));
  }

  private static JsonNode value(String text) {
    try {
      JsonNode json = JSON.readTree(text);
      return json.isMissingNode() ? TextNode.valueOf(text) : json;
    } catch (JsonProcessingException plainText) {
      return TextNode.valueOf(text);
    }
  }
}
