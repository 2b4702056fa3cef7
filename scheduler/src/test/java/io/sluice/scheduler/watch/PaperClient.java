// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.security.NamespaceScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A client with a random filter, which disconnects at random and resumes at any server. */
final class PaperClient {
  private final PaperJournal journal;
  private final SplittableRandom random;
  private final WatchFilter filter;
  private final List<EventId> received = new ArrayList<>();
  private @Nullable Watcher watcher;
  private @Nullable EventId begun;
  private @Nullable EventId last;
  private int restarts;

  PaperClient(PaperJournal journal, SplittableRandom random) {
    this.journal = journal;
    this.random = random;
    this.filter = filter();
  }

  private WatchFilter filter() {
    int number = random.nextInt(PaperJournal.JOBS);
    Set<String> kinds = random.nextInt(3) == 0 ? Set.of("Attempt", "LocalQueue", "Run") : Set.of();
    return switch (random.nextInt(8)) {
      case 0, 1 ->
          new WatchFilter(
              PaperJournal.job(number), null, null, null, null, kinds, NamespaceScope.ALL);
      case 2 ->
          new WatchFilter(
              null,
              null,
              "queue-" + number % 3,
              null,
              random.nextBoolean() ? "ns-0" : null,
              kinds,
              NamespaceScope.ALL);
      case 3 ->
          new WatchFilter(null, null, null, "cq-" + number % 2, null, kinds, NamespaceScope.ALL);
      case 4 -> new WatchFilter(null, null, null, null, "ns-1", kinds, NamespaceScope.ALL);
      case 5 ->
          new WatchFilter(
              null, PaperJournal.run(number), null, null, null, Set.of(), NamespaceScope.ALL);
      case 6 -> new WatchFilter(null, null, null, null, null, kinds, NamespaceScope.of("ns-1"));
      default -> new WatchFilter(null, null, null, null, null, kinds, NamespaceScope.ALL);
    };
  }

  int restarts() {
    return restarts;
  }

  int seen() {
    return received.size();
  }

  /** Connects, takes some events, or disconnects in the middle of what it is given. */
  void act(PaperJournal.Server server) {
    Watcher open = watcher;
    if (open == null) {
      connect(server);
    } else if (random.nextInt(4) == 0) {
      open.close();
      watcher = null;
    } else {
      take(open);
    }
  }

  private void connect(PaperJournal.Server server) {
    EventId from = last;
    if (from == null && begun == null && random.nextBoolean()) {
      from = journal.anyPlace(random);
    }
    try {
      Watcher opened = server.hub().open(filter, from, () -> {});
      watcher = opened;
      if (begun == null) {
        begun = opened.place();
        last = begun;
      }
    } catch (WatchRefusedException gone) {
      restart(from);
    }
  }

  /** Its place is not there any more: it lists again and watches from now on. */
  private void restart(@Nullable EventId from) {
    if (from == null) {
      throw new AssertionError("refused without an id");
    }
    boolean whole = from.position() == EventId.END;
    assertThat(from.sequence() + (whole ? 1 : 0)).isLessThan(journal.firstSequence());
    checkReceived(from);
    received.clear();
    begun = null;
    last = null;
    restarts++;
  }

  private void take(Watcher open) {
    int most = 1 + random.nextInt(20);
    try {
      Watcher.Taken taken = open.poll(most);
      if (taken == null) {
        taken = open.catchUp(most);
      }
      accept(open, taken);
    } catch (WatchRefusedException gone) {
      open.close();
      watcher = null;
      restart(open.place());
    }
  }

  private void accept(Watcher open, Watcher.Taken taken) {
    assertThat(taken.upTo()).isGreaterThanOrEqualTo(last);
    int size = taken.events().size();
    if (size > 0 && random.nextInt(6) == 0) {
      int read = random.nextInt(size);
      taken.events().subList(0, read).forEach(this::accept);
      open.close();
      watcher = null;
      return;
    }
    taken.events().forEach(this::accept);
    last = taken.upTo();
  }

  private void accept(JournalEvent event) {
    received.add(event.id());
    last = event.id();
  }

  /** Takes all that is left. */
  void finish(PaperJournal.Server server) {
    EventId end = EventId.after(journal.lastSequence());
    while (last == null || last.compareTo(end) < 0) {
      if (watcher == null) {
        connect(server);
      } else {
        server.followToTheEnd();
        take(watcher);
      }
    }
    if (watcher != null) {
      watcher.close();
    }
  }

  void check() {
    checkReceived(EventId.after(journal.lastSequence()));
  }

  private void checkReceived(EventId upTo) {
    EventId from = begun == null ? upTo : begun;
    assertThat(received)
        .as("%s from %s", filter, from)
        .containsExactlyElementsOf(
            journal.after(from).stream()
                .filter(filter::matches)
                .map(JournalEvent::id)
                .filter(id -> id.compareTo(upTo) <= 0)
                .toList());
  }
}
