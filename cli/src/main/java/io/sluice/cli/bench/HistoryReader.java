// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.watching.Reconnection;
import io.sluice.restmodel.event.EventPage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads from a server what it recorded of the jobs of a run, after the run. */
final class HistoryReader {
  /** How long one answer may take, repetitions included. */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(10);

  /** The end of a job may be counted some moments before its event can be read. */
  private static final Duration LAST_EVENTS_WAIT = Duration.ofSeconds(2);

  private static final String EVENTS = "/v1/events";
  private static final int PAGE = 500;

  private final ServerClient client;
  private final Reconnection reconnection;
  private final String namespace;
  private final long deadlineNanos;
  private final BooleanSupplier givenUp;

  /** The creation of a job; the other fields are not asked for. */
  record CreatedJob(String id, CreatedStatus status) {}

  /** When a job was created. */
  record CreatedStatus(Instant createdAt) {}

  /** A page of jobs. */
  record CreatedJobs(List<CreatedJob> items, @Nullable String nextCursor) {}

  /**
   * Creates a reader.
   *
   * @param longest how long the reading may take
   * @param givenUp asked before each request; true ends the reading
   */
  HistoryReader(ServerClient client, String namespace, Duration longest, BooleanSupplier givenUp) {
    this.client = client;
    this.reconnection = new Reconnection(client);
    this.namespace = ServerClient.encode(namespace);
    this.deadlineNanos = System.nanoTime() + longest.toNanos();
    this.givenUp = givenUp;
  }

  /** Returns the present place in the journal, after which to read the events of a run. */
  static String place(ServerClient client) {
    return client.get(EVENTS + "?limit=1", EventPage.class).nextAfter();
  }

  /**
   * Reads the creation of each job, and the events after a place. Ends at the last event, which is
   * the end of the last job if all have ended.
   *
   * @throws ClientException if the server does not answer, or takes too long
   */
  void read(JobHistories jobs, String after, boolean allEnded) throws InterruptedException {
    readCreations(jobs);
    Duration wait = allEnded ? LAST_EVENTS_WAIT : Duration.ZERO;
    String base =
        "%s?namespace=%s&limit=%d&wait=%dms&after="
            .formatted(EVENTS, namespace, PAGE, wait.toMillis());
    String place = after;
    boolean atEnd = false;
    while (!atEnd) {
      String path = base + ServerClient.encode(place);
      EventPage page = answer(() -> client.get(path, EventPage.class));
      page.items().forEach(jobs::take);
      // A page without events may still have advanced through events of others.
      boolean still = page.items().isEmpty() && page.nextAfter().equals(place);
      atEnd = still || (allEnded && jobs.ended() == jobs.size());
      place = page.nextAfter();
    }
  }

  private void readCreations(JobHistories jobs) throws InterruptedException {
    String base =
        "/v1/jobs?namespace=%s&limit=%d&order=oldest".formatted(namespace, PAGE)
            + "&fields=items.id,items.status.createdAt,nextCursor";
    String cursor = null;
    do {
      String path = cursor == null ? base : base + "&cursor=" + ServerClient.encode(cursor);
      CreatedJobs page = answer(() -> client.get(path, CreatedJobs.class));
      page.items().forEach(job -> jobs.created(job.id(), job.status().createdAt()));
      cursor = page.nextCursor();
    } while (cursor != null);
  }

  private <T> T answer(Supplier<T> request) throws InterruptedException {
    if (System.nanoTime() > deadlineNanos || givenUp.getAsBoolean()) {
      throw new ClientException("there was no time to read all of them");
    }
    return reconnection
        .read(request, SILENCE_MAX)
        .orElseThrow(
            () -> new ClientException("no answer for %d s".formatted(SILENCE_MAX.toSeconds())));
  }
}
