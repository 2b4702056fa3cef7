// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.watching.EventFeed;
import io.sluice.cli.watching.Reconnection;
import io.sluice.cli.watching.Timing;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a job, and reads it again when the journal has an event that may change its status. */
final class EventWatch implements JobWatch {
  private final ServerClient client;
  private final Reconnection reconnection;
  private final String path;
  private final EventFeed feed;
  private @Nullable JsonNode last;

  /**
   * Creates a watch.
   *
   * @param id of the job
   */
  EventWatch(ServerClient client, Reconnection reconnection, String id) {
    this.client = client;
    this.reconnection = reconnection;
    this.path = "/v1/jobs/" + id;
    this.feed = new EventFeed(client, reconnection, "job=" + id + "&kind=Job&kind=Attempt");
  }

  @Override
  public JsonNode next(Duration patience) throws InterruptedException {
    Timing timing = reconnection.timing();
    long begun = timing.nanos();
    JsonNode before = last;
    if (before == null) {
      return take(reconnection.read(() -> client.getSequenced(path)));
    }
    boolean changed = false;
    while (!changed && !timing.left(patience, begun).isZero()) {
      changed = matters(feed.next(timing.left(patience, begun)));
    }
    Optional<ServerClient.Sequenced> now =
        reconnection.read(() -> client.getSequenced(path), timing.left(patience, begun));
    return now.isPresent() ? take(now.get()) : before;
  }

  private JsonNode take(ServerClient.Sequenced job) {
    String sequence = job.sequence();
    if (sequence != null) {
      feed.from(sequence);
    }
    last = job.body();
    return job.body();
  }

  /** Whether the status may be another one; progress and checkpoints leave it. */
  private static boolean matters(EventFeed.News news) {
    return news.listAgain()
        || news.events().stream()
            .map(event -> event.path("object"))
            .anyMatch(object -> object.path("kind").asText().equals("Job") || object.has("state"));
  }
}
