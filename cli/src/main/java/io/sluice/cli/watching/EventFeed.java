// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.watching;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.RefusedException;
import io.sluice.cli.client.ServerClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The events of the journal that pass a filter, from a place on, read as pages that wait. The feed
 * resumes from its place after a lost connection, at whichever server answers then.
 *
 * <p>To miss nothing, a caller takes the place before what it lists: {@link #from} with the
 * sequence of the list, or {@link #fromNow} before the list is read.
 *
 * <p>A server without {@code /v1/events} is polled: after a pause, the caller is told to list
 * again.
 */
public final class EventFeed {
  private static final Duration WAIT_MAX = Duration.ofSeconds(30);

  /** The time that the server may need for an answer, besides its wait. */
  private static final Duration ANSWER = Duration.ofSeconds(10);

  /** The shortest time between two requests, so that busy hours come in pages. */
  private static final Duration GAP = Duration.ofMillis(200);

  private static final Duration POLL = Duration.ofSeconds(2);
  private static final int PAGE = 500;

  private final ServerClient client;
  private final Reconnection reconnection;
  private final Timing timing;
  private final String path;
  private @Nullable String place;
  private boolean unsupported;
  private boolean asked;
  private long askedAtNanos;

  /**
   * News of the journal.
   *
   * @param events the oldest first
   * @param listAgain whether there may be changes that are not among the events
   */
  public record News(List<JsonNode> events, boolean listAgain) {
    private static final News NONE = new News(List.of(), false);
    private static final News LIST_AGAIN = new News(List.of(), true);

    public News {
      events = List.copyOf(events);
    }

    /** Whether anything may have changed. */
    public boolean changed() {
      return listAgain || !events.isEmpty();
    }
  }

  /**
   * Creates a feed without a place.
   *
   * @param filter parameters of {@code /v1/events}, such as {@code kind=Job&namespace=team}
   */
  public EventFeed(ServerClient client, Reconnection reconnection, String filter) {
    this.client = client;
    this.reconnection = reconnection;
    this.timing = reconnection.timing();
    this.path = "/v1/events?" + (filter.isEmpty() ? "" : filter + "&");
  }

  /**
   * Continues after a place.
   *
   * @param after the sequence of a list, or the id of an event
   */
  public void from(String after) {
    place = after;
  }

  /** Continues after what the server knows now. */
  public void fromNow() throws InterruptedException {
    try {
      place = reconnection.read(() -> client.get(path + "limit=1")).path("nextAfter").asText(null);
    } catch (RefusedException refused) {
      absent(refused);
    }
  }

  /**
   * Waits for events.
   *
   * @param patience the longest wait; zero: only asks
   * @throws io.sluice.cli.client.UnreachableException if the server stays silent
   * @throws RefusedException if the server refuses the filter
   */
  public News next(Duration patience) throws InterruptedException {
    long begun = timing.nanos();
    while (true) {
      if (asked) {
        Duration gap = timing.left(GAP, askedAtNanos);
        timing.sleep(Timing.shorter(gap, timing.left(patience, begun)));
      }
      asked = true;
      askedAtNanos = timing.nanos();
      String after = place;
      if (unsupported || after == null) {
        timing.sleep(Timing.shorter(POLL, timing.left(patience, begun)));
        return News.LIST_AGAIN;
      }
      Duration left = timing.left(patience, begun);
      try {
        Optional<JsonNode> page =
            reconnection.read(() -> page(after, timing.left(patience, begun)), left);
        List<JsonNode> events = page.map(this::take).orElse(List.of());
        if (!events.isEmpty()) {
          return new News(events, false);
        }
        if (left.isZero() || page.isEmpty()) {
          return News.NONE;
        }
      } catch (RefusedException refused) {
        if (!refused.gone()) {
          absent(refused);
        }
        return News.LIST_AGAIN;
      }
    }
  }

  private JsonNode page(String after, Duration left) {
    Duration wait = Timing.shorter(left, WAIT_MAX);
    return client
        .getSequenced(
            path
                + "limit=%d&after=%s&wait=%dms"
                    .formatted(PAGE, ServerClient.encode(after), wait.toMillis()),
            wait.plus(ANSWER))
        .body();
  }

  private List<JsonNode> take(JsonNode page) {
    place = page.path("nextAfter").asText(place);
    List<JsonNode> events = new ArrayList<>();
    page.path("items").forEach(events::add);
    return events;
  }

  /** Notes that there is nothing to watch, which the caller's next list tells apart. */
  private void absent(RefusedException refused) {
    if (!refused.absent()) {
      throw refused;
    }
    unsupported = true;
  }
}
