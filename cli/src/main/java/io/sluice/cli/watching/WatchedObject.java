// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.watching;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ServerClient;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads an object, such as a job or a run, and reads it again when the journal has an event that
 * may change its status.
 */
public final class WatchedObject {
  private final ServerClient client;
  private final Reconnection reconnection;
  private final String path;
  private final EventFeed feed;
  private @Nullable JsonNode last;

  /**
   * Creates a watch.
   *
   * @param path of the object; its answers tell their place in the journal
   * @param filter of its events
   */
  private WatchedObject(
      ServerClient client, Reconnection reconnection, String path, String filter) {
    this.client = client;
    this.reconnection = reconnection;
    this.path = path;
    this.feed = new EventFeed(client, reconnection, filter);
  }

  /** Watches the job of an id. */
  public static WatchedObject job(ServerClient client, Reconnection reconnection, String id) {
    return new WatchedObject(
        client, reconnection, "/v1/jobs/" + id, "job=" + id + "&kind=Job&kind=Attempt");
  }

  /** Watches the run of an id. */
  public static WatchedObject run(ServerClient client, Reconnection reconnection, String id) {
    return new WatchedObject(client, reconnection, "/v1/runs/" + id, "run=" + id);
  }

  /**
   * Returns the object as it is. The first call returns at once; a later one waits for a change.
   *
   * @param patience the longest time to wait before the object is read again in any case
   */
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

  private JsonNode take(ServerClient.Sequenced read) {
    String sequence = read.sequence();
    if (sequence != null) {
      feed.from(sequence);
    }
    last = read.body();
    return read.body();
  }

  /** Whether the status may be another one; progress and checkpoints leave it. */
  private static boolean matters(EventFeed.News news) {
    return news.listAgain()
        || news.events().stream()
            .map(event -> event.path("object"))
            .anyMatch(
                object -> !object.path("kind").asText().equals("Attempt") || object.has("state"));
  }
}
