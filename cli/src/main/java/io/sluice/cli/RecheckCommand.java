// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.ServerOptions;
import io.sluice.cli.output.Terminal;
import io.sluice.restmodel.administration.JournalOverview;
import io.sluice.restmodel.administration.RecheckResult;
import io.sluice.restmodel.administration.RecheckResult.JournalEvent;
import io.sluice.restmodel.administration.RecheckResult.RecheckDifference;
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
    JournalOverview journal = client.get("/v1/journal", JournalOverview.class);
    long last = to == null ? journal.last() : to;
    Long begin = from == null ? journal.first() : from;
    if (begin == null) {
      throw new ClientException("no snapshot is stored yet, from which to recompute");
    }
    long next = begin;
    if (next > last) {
      throw new ClientException("there is no batch from %d to %d".formatted(next, last));
    }
    Terminal terminal = Terminal.standard();
    long first = next;
    while (next <= last) {
      long most = Math.min(BATCHES_MAX, last - next + 1);
      Map<String, @Nullable String> parameters = new TreeMap<>();
      parameters.put("batches", Long.toString(most));
      RecheckResult answer =
          client.get(
              ServerClient.query("/v1/journal/" + next + "/recheck", parameters),
              RecheckResult.class);
      if (!answer.same()) {
        tell(answer, terminal);
        return ExitCode.FAILED;
      }
      if (answer.to() < next) {
        throw new ClientException("the server recomputed nothing from batch " + next);
      }
      next = answer.to() + 1;
    }
    terminal.print("batches %d to %d came out the same".formatted(first, last));
    return 0;
  }

  private static void tell(RecheckResult answer, Terminal terminal) {
    RecheckDifference difference = answer.difference();
    if (difference == null) {
      terminal.print("batch %d came out otherwise".formatted(answer.to()));
      return;
    }
    terminal.print(
        "batch %d came out otherwise, first in event %d"
            .formatted(difference.sequence(), difference.position()));
    terminal.print("  Recorded    " + event(difference.recorded()));
    terminal.print("  Recomputed  " + event(difference.recomputed()));
  }

  private static String event(@Nullable JournalEvent event) {
    return event == null ? "nothing" : event.kind() + " " + JsonRecords.tree(event.body());
  }
}
