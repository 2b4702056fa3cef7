// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.watching;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.watching.EventFeed.News;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Events that are followed from a list on. */
@SuppressWarnings("NullAway.Init") // JUnit fills the fields.
class EventFeedTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private JournalServer server;
  private ServerClient client;

  @BeforeEach
  void start() throws Exception {
    server = new JournalServer();
    client = server.client();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static boolean isEvents(String request) {
    return request.startsWith("/v1/events");
  }

  private EventFeed feed(String filter) {
    return new EventFeed(client, new Reconnection(client), filter);
  }

  private String list() {
    return Objects.requireNonNull(client.getSequenced("/v1/jobs").sequence());
  }

  private static List<String> texts(News news) {
    return news.events().stream().map(event -> event.path("text").asText()).toList();
  }

  @Test
  void anEventBetweenTheListAndTheFirstPageIsNotMissed() throws Exception {
    EventFeed feed = feed("kind=Job&kind=Attempt");
    feed.from(list());
    server.job("train", "PENDING");
    assertThat(texts(feed.next(LONG))).containsExactly("Job is PENDING");
    server.job("train", "RUNNING");
    server.job("train", "SUCCEEDED");
    assertThat(texts(feed.next(LONG))).containsExactly("Job is RUNNING", "Job is SUCCEEDED");
    assertThat(server.requests(EventFeedTest::isEvents))
        .allMatch(request -> request.contains("?kind=Job&kind=Attempt&limit=500&after="));
  }

  @Test
  void withoutASequenceTheFeedBeginsBeforeTheList() throws Exception {
    EventFeed feed = feed("");
    feed.fromNow();
    server.job("train", "PENDING");
    assertThat(texts(feed.next(LONG))).containsExactly("Job is PENDING");
  }

  @Test
  void withoutAnEventTheWaitEndsInTime() throws Exception {
    EventFeed feed = feed("job=train");
    feed.fromNow();
    server.job("other", "PENDING");
    assertThat(feed.next(Duration.ofMillis(300)).changed()).isFalse();
    assertThat(feed.next(Duration.ZERO).changed()).isFalse();
  }

  @Test
  void connectionsThatAreCutLoseAndRepeatNothing() throws Exception {
    EventFeed feed = feed("");
    feed.from(list());
    assertThat(feed.next(Duration.ZERO).changed()).isFalse();
    List<String> told = new ArrayList<>();
    for (int number = 0; number < 5; number++) {
      server.cut(3);
      server.event("train", "Attempt", "S" + number);
      told.addAll(texts(feed.next(LONG)));
      if (number == 2) {
        server.refuse(1);
      }
    }
    assertThat(told)
        .containsExactly(
            "Attempt is S0", "Attempt is S1", "Attempt is S2", "Attempt is S3", "Attempt is S4");
  }

  @Test
  void aPlaceThatWasDeletedCallsForAList() throws Exception {
    EventFeed feed = feed("");
    feed.from(list());
    server.job("train", "PENDING");
    server.deleteEvents();
    News news = feed.next(LONG);
    assertThat(news.listAgain()).isTrue();
    feed.from(list());
    server.job("train", "RUNNING");
    assertThat(texts(feed.next(LONG))).containsExactly("Job is RUNNING");
  }

  @Test
  void aServerWithoutEventsIsPolled() throws Exception {
    server.withoutEvents();
    ShortTime time = new ShortTime();
    EventFeed feed = new EventFeed(client, new Reconnection(client, time), "");
    feed.fromNow();
    for (int number = 0; number < 3; number++) {
      assertThat(feed.next(LONG).listAgain()).isTrue();
    }
    assertThat(time.pauses()).contains(Duration.ofSeconds(2));
    assertThat(server.requests(EventFeedTest::isEvents)).hasSize(1);
  }
}
