// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Watchers of two servers on one journal, stepped by hand. */
class EventHubTest {
  private static final int CLIENTS = 12;
  private static final int ACTIONS = 600;

  @Test
  void eachWatcherIsGivenExactlyTheEventsOfItsFilterOnceAndInOrder() {
    Seeds.check(60, random -> live(random, false));
  }

  @Test
  void aWatcherWhoseEventsWereDeletedIsToldSo() {
    Seeds.check(60, random -> live(random, true));
  }

  private static void live(SplittableRandom random, boolean pruned) {
    PaperJournal journal = new PaperJournal(random);
    List<PaperJournal.Server> servers = List.of(journal.server(), journal.server());
    List<PaperClient> clients = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      clients.add(new PaperClient(journal, random));
    }
    for (int action = 0; action < ACTIONS; action++) {
      PaperJournal.Server server = servers.get(random.nextInt(servers.size()));
      PaperClient client = clients.get(random.nextInt(clients.size()));
      switch (random.nextInt(8)) {
        case 0, 1 -> journal.commit(random.nextInt(40) == 0 ? 1_500 : random.nextInt(12));
        case 2, 3 -> server.follow(random);
        case 4 -> server.hub().step();
        case 5, 6 -> client.act(server);
        default -> {
          if (pruned && random.nextInt(10) == 0) {
            journal.prune(random, servers);
          }
        }
      }
    }
    servers.forEach(PaperJournal.Server::followToTheEnd);
    clients.forEach(client -> client.finish(servers.get(random.nextInt(servers.size()))));
    clients.forEach(PaperClient::check);
    if (!pruned) {
      assertThat(clients).allMatch(client -> client.restarts() == 0);
      assertThat(clients.stream().mapToInt(PaperClient::seen).sum()).isPositive();
    }
    assertThat(servers).noneMatch(server -> server.hub().wantsEvents());
  }

  @Test
  void aQueueThatIsFullIsReadFromTheDatabase() {
    PaperJournal journal = new PaperJournal(new SplittableRandom(1));
    PaperJournal.Server server = journal.server();
    Watcher watcher = server.hub().open(WatchFilter.ALL, null, () -> {});
    for (int batch = 0; batch < 30; batch++) {
      journal.commit(100);
      server.followToTheEnd();
    }
    assertThat(watcher.poll(10)).as("it has left").isNull();
    List<EventId> taken = new ArrayList<>();
    Watcher.Taken some = watcher.catchUp(70);
    while (some == null || !some.upTo().equals(EventId.after(30))) {
      if (some != null) {
        some.events().forEach(event -> taken.add(event.id()));
      }
      some = watcher.isBehind() ? watcher.catchUp(70) : watcher.poll(70);
    }
    some.events().forEach(event -> taken.add(event.id()));
    assertThat(taken)
        .containsExactlyElementsOf(
            IntStream.range(0, 3_000)
                .mapToObj(event -> new EventId(1L + event / 100, event % 100))
                .toList());
    watcher.close();
  }

  @Test
  void aWatcherThatSkipsGoesOnAfterTheLastBatch() {
    PaperJournal journal = new PaperJournal(new SplittableRandom(1));
    PaperJournal.Server server = journal.server();
    Watcher fresh = server.hub().open(WatchFilter.ALL, null, () -> {});
    for (int batch = 0; batch < 30; batch++) {
      journal.commit(100);
      server.followToTheEnd();
    }
    Watcher late = server.hub().open(WatchFilter.ALL, new EventId(2, 3), () -> {});
    for (Watcher watcher : List.of(fresh, late)) {
      assertThat(watcher.poll(10)).as("behind").isNull();
      assertThat(watcher.skip()).isEqualTo(EventId.after(30));
      assertThat(watcher.poll(10)).isEqualTo(new Watcher.Taken(List.of(), EventId.after(30)));
    }
    journal.commit(3);
    server.followToTheEnd();
    for (Watcher watcher : List.of(fresh, late)) {
      Watcher.Taken taken = Objects.requireNonNull(watcher.poll(10));
      assertThat(taken.events().stream().map(event -> event.id().toString()))
          .containsExactly("31.0", "31.1", "31.2");
      watcher.close();
      assertThat(watcher.skip()).as("a closed one joins no more").isEqualTo(EventId.after(31));
    }
    assertThat(server.hub().wantsEvents()).isFalse();
  }

  @Test
  void placesThatTheJournalDoesNotHaveAreRefused() {
    PaperJournal journal = new PaperJournal(new SplittableRandom(1));
    PaperJournal.Server server = journal.server();
    for (int batch = 0; batch < 10; batch++) {
      journal.commit(3);
    }
    journal.pruneBefore(5);
    for (String gone : List.of("0", "3", "3.2", "4.1", "11", "11.0", "999999999999999999")) {
      assertThatThrownBy(() -> server.hub().open(WatchFilter.ALL, EventId.parse(gone), () -> {}))
          .as(gone)
          .isInstanceOfSatisfying(
              WatchRefusedException.class,
              refused -> assertThat(refused.kind()).isEqualTo(WatchRefusedException.Kind.GONE));
    }
    for (String there : List.of("4", "5.0", "10", "10.2")) {
      server.hub().open(WatchFilter.ALL, EventId.parse(there), () -> {}).close();
    }
    for (String malformed : List.of("", "x", "1.", ".1", "-1", "1.-1", "1.2.3", "1/2", "1e3")) {
      assertThatThrownBy(() -> EventId.parse(malformed))
          .as(malformed)
          .isInstanceOf(InvalidValueException.class);
    }
  }

  @Test
  void theNumberOfWatchersIsBounded() {
    PaperJournal journal = new PaperJournal(new SplittableRandom(1));
    EventHub hub = journal.server().hub();
    List<Watcher> watchers = new ArrayList<>();
    for (int watcher = 0; watcher < EventHub.WATCHERS_MAX; watcher++) {
      watchers.add(hub.open(WatchFilter.ALL, null, () -> {}));
    }
    assertThatThrownBy(() -> hub.open(WatchFilter.ALL, null, () -> {}))
        .isInstanceOfSatisfying(
            WatchRefusedException.class,
            refused -> assertThat(refused.kind()).isEqualTo(WatchRefusedException.Kind.TOO_MANY));
    watchers.get(0).close();
    watchers.get(0).close();
    hub.open(WatchFilter.ALL, null, () -> {}).close();
    watchers.forEach(Watcher::close);
    assertThat(hub.wantsEvents()).isFalse();
  }

  @Test
  void watchersAreToldThatTheServerEnds() {
    PaperJournal journal = new PaperJournal(new SplittableRandom(1));
    EventHub hub = journal.server().hub();
    List<String> told = new ArrayList<>();
    Watcher watcher =
        hub.open(
            new WatchFilter(null, null, null, null, null, Set.of("Job"), NamespaceScope.ALL),
            null,
            () -> told.add("!"));
    hub.close();
    assertThat(told).hasSize(1);
    assertThat(watcher.hasEnded()).isTrue();
    assertThatThrownBy(() -> hub.open(WatchFilter.ALL, null, () -> {}))
        .isInstanceOf(WatchRefusedException.class);
  }

  @Test
  void theHubRestsInProportionToTheWatchersThatItTold() {
    assertThat(EventHub.rest(0)).isZero();
    assertThat(EventHub.rest(1)).hasMillis(2);
    assertThat(EventHub.rest(100)).hasMillis(200);
    assertThat(EventHub.rest(EventHub.WATCHERS_MAX)).as("a bound of delays").hasMillis(200);
  }

  @Test
  void anEventIsWrittenOnceForAllItsWatchers() {
    PaperJournal journal = new PaperJournal(new SplittableRandom(1));
    PaperJournal.Server server = journal.server();
    Watcher one = server.hub().open(WatchFilter.ALL, null, () -> {});
    Watcher other = server.hub().open(WatchFilter.ALL, null, () -> {});
    journal.commit(1);
    server.followToTheEnd();
    JournalEvent given = only(one);
    assertThat(only(other)).isSameAs(given);
    byte[] written = given.written(event -> new byte[] {1});
    assertThat(given.written(event -> new byte[] {2})).isSameAs(written);
    one.close();
    other.close();
  }

  private static JournalEvent only(Watcher watcher) {
    Watcher.Taken taken = watcher.poll(1);
    if (taken == null) {
      throw new AssertionError("nothing came");
    }
    return taken.events().get(0);
  }
}
