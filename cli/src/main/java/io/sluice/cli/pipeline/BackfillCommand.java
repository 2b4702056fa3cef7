// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.NameLookup;
import io.sluice.restmodel.pipeline.Backfill;
import io.sluice.restmodel.pipeline.BackfillRequest;
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
    BackfillRequest request =
        new BackfillRequest(Times.parse("--from", from), Times.parse("--to", to), maxParallel);
    Backfill backfill =
        client.postIdempotent(
            options.path(client, NameLookup.Purpose.CHANGE) + "/backfills",
            JsonRecords.write(request),
            key,
            Backfill.class);
    String id = backfill.id();
    int times = backfill.times();
    System.out.println("backfill/" + id + " of " + times + (times == 1 ? " time" : " times"));
    while (wait && backfill.state().equals("RUNNING")) {
      Thread.sleep(POLL_MILLIS);
      backfill = client.get("/v1/backfills/" + id, Backfill.class);
    }
    if (wait) {
      System.out.println(
          "backfill/%s %s: %d begun, %d there before"
              .formatted(id, backfill.state(), backfill.begun(), backfill.thereBefore()));
    }
    return wait && !backfill.state().equals("ENDED") ? 1 : 0;
  }
}
