// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.NameLookup;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts runs for past logical times of a schedule. */
@Command(
    name = "backfill",
    description =
        "Starts runs for past logical times of a schedule, at most 10000. A time that "
            + "has a run gets no other.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class BackfillCommand implements Callable<Integer> {
  private static final long POLL_MILLIS = 500;

  @Mixin ScheduleOptions options;

  @Option(
      names = "--from",
      required = true,
      paramLabel = "TIME",
      description = "Start of the range, inclusive, such as 2026-11-01T00:00:00Z.")
  String from;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "TIME",
      description = "End of the range, exclusive; not in the future.")
  String to;

  @Option(
      names = "--max-parallel",
      paramLabel = "N",
      defaultValue = "1",
      description = "Maximum number of runs at a time, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  int maxParallel;

  @Option(
      names = "--idempotency-key",
      paramLabel = "KEY",
      description =
          "Idempotency key, at most 200 characters. A repeated start with the same key "
              + "returns the same backfill.")
  @Nullable String key;

  @Option(names = "--wait", description = "Wait until all runs of the backfill have ended.")
  boolean wait;

  @Override
  public Integer call() throws InterruptedException {
    ServerClient client = options.client();
    ObjectNode body =
        JsonNodeFactory.instance
            .objectNode()
            .put("from", from)
            .put("to", to)
            .put("maxParallel", maxParallel);
    JsonNode backfill =
        client.postIdempotent(
            options.path(client, NameLookup.Purpose.CHANGE) + "/backfills",
            body.toString().getBytes(StandardCharsets.UTF_8),
            key);
    String id = backfill.path("id").asText();
    int times = backfill.path("times").asInt();
    System.out.println("backfill/" + id + " of " + times + (times == 1 ? " time" : " times"));
    while (wait && backfill.path("state").asText().equals("RUNNING")) {
      Thread.sleep(POLL_MILLIS);
      backfill = client.get("/v1/backfills/" + id);
    }
    if (wait) {
      System.out.println(
          "backfill/%s %s: %s begun, %s there before"
              .formatted(
                  id,
                  backfill.path("state").asText(),
                  backfill.path("begun").asText(),
                  backfill.path("thereBefore").asText()));
    }
    return wait && !backfill.path("state").asText().equals("ENDED") ? 1 : 0;
  }
}
