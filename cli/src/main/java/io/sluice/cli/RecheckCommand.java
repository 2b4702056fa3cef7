// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Terminal;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Asks the server to recompute past decisions. */
@Command(
    name = "recheck",
    description = "Recomputes past decisions from stored snapshots and inputs, and compares them.",
    footer = {"", "Exit code 0 if all decisions are the same, 1 at the first event that differs."},
    sortOptions = false,
    mixinStandardHelpOptions = true)
@SuppressWarnings("NullAway.Init") // picocli fills the fields.
final class RecheckCommand implements Callable<Integer> {
  /** The most batches that the server recomputes per call. */
  private static final int BATCHES_MAX = 1_000;

  @Mixin ServerOptions server;

  @Option(
      names = "--from",
      paramLabel = "SEQ",
      description = "Sequence of the first batch. Default: the first that can be recomputed.")
  @Nullable Long from;

  @Option(
      names = "--to",
      paramLabel = "SEQ",
      description = "Sequence of the last batch. Default: the latest batch.")
  @Nullable Long to;

  @Override
  public Integer call() {
    ServerClient client = server.client();
    JsonNode journal = client.get("/v1/journal");
    long last = to == null ? journal.path("last").asLong() : to;
    long next = from == null ? journal.path("first").asLong() : from;
    if (from == null && !journal.has("first")) {
      throw new ClientException("no snapshot is stored yet, from which to recompute");
    }
    if (next > last) {
      throw new ClientException("there is no batch from %d to %d".formatted(next, last));
    }
    Terminal terminal = Terminal.standard();
    long first = next;
    while (next <= last) {
      long most = Math.min(BATCHES_MAX, last - next + 1);
      Map<String, @Nullable String> parameters = new TreeMap<>();
      parameters.put("batches", Long.toString(most));
      JsonNode answer =
          client.get(ServerClient.query("/v1/journal/" + next + "/recheck", parameters));
      if (!answer.path("same").asBoolean()) {
        tell(answer.path("difference"), terminal);
        return ExitCode.FAILED;
      }
      if (answer.path("to").asLong() < next) {
        throw new ClientException("the server recomputed nothing from batch " + next);
      }
      next = answer.path("to").asLong() + 1;
    }
    terminal.print("batches %d to %d came out the same".formatted(first, last));
    return 0;
  }

  private static void tell(JsonNode difference, Terminal terminal) {
    terminal.print(
        "batch %d came out otherwise, first in event %d"
            .formatted(difference.path("sequence").asLong(), difference.path("position").asInt()));
    terminal.print("  Recorded    " + event(difference.path("recorded")));
    terminal.print("  Recomputed  " + event(difference.path("recomputed")));
  }

  private static String event(JsonNode event) {
    return event.isObject() ? event.path("kind").asText() + " " + event.path("body") : "nothing";
  }
}
