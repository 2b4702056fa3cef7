// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.RefusedException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.LimitOption;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.watching.EventFeed;
import io.sluice.cli.watching.Reconnection;
import io.sluice.cli.watching.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Prints a list, then a line for each change.
 *
 * <p>A job is read again when there is an event of it, so changes of jobs beyond the limit of the
 * list are printed, too. Events of a job are printed as they come. Lists of other kinds are read
 * again, at most once a second when there is an event, and at least every 30 s, because parts of
 * them such as reasons change without an event.
 */
final class ListWatch {
  private static final Duration LIST_GAP = Duration.ofSeconds(1);
  private static final Duration LIST_AGE_MAX = Duration.ofSeconds(30);
  private static final Duration WITHOUT_END = Duration.ofDays(36_500);

  private final Listings listings;
  private final ListFilter filter;
  private final LimitOption limit;
  private final Terminal terminal;
  private final Reconnection reconnection;
  private final Timing timing;
  private final EventFeed feed;
  private final WatchedRows rows;
  private final Target target;
  private boolean listed;
  private boolean complete;

  /**
   * What is watched.
   *
   * @param name of one item, or of the job of the items; null: all
   */
  record Target(Kinds kinds, @Nullable String name) {
    /**
     * Returns the target with the id of its job in place of a name, which another job may get. If
     * there is no name, the first list says that one is needed.
     */
    static Target of(Kinds kinds, @Nullable String name, Listings listings) {
      return new Target(kinds, name != null && ofJob(kinds) ? listings.jobId(name) : name);
    }

    private static boolean ofJob(Kinds kinds) {
      return kinds == Kinds.JOBS || kinds == Kinds.EVENTS || kinds == Kinds.ATTEMPTS;
    }

    /** Returns the id of the job whose events are watched; null: those of all jobs. */
    @Nullable String job() {
      return ofJob(kinds) ? name : null;
    }
  }

  ListWatch(
      ServerClient client,
      ListFilter filter,
      LimitOption limit,
      Target target,
      WatchedRows rows,
      Terminal terminal) {
    this.listings = new Listings(client, filter, limit);
    this.filter = filter;
    this.limit = limit;
    this.target = target;
    this.rows = rows;
    this.terminal = terminal;
    this.reconnection = new Reconnection(client);
    this.timing = reconnection.timing();
    this.feed =
        new EventFeed(
            client,
            reconnection,
            WatchScope.filter(target.kinds(), filter, target.name(), target.job()));
  }

  /**
   * Prints until the time is over.
   *
   * @param period null: without end
   */
  void run(@Nullable Duration period) throws InterruptedException {
    long begun = timing.nanos();
    Duration all = period == null ? WITHOUT_END : period;
    list();
    while (!timing.left(all, begun).isZero()) {
      Duration left = timing.left(all, begun);
      EventFeed.News news = feed.next(Timing.shorter(left, LIST_AGE_MAX));
      switch (target.kinds()) {
        case JOBS -> {
          if (news.listAgain()) {
            list();
          } else {
            jobs(news.events());
          }
        }
        case EVENTS -> {
          if (news.listAgain()) {
            list();
          } else {
            terminal.print(rows.changes(news.events()));
          }
        }
        default -> {
          if (news.changed()) {
            timing.sleep(Timing.shorter(LIST_GAP, timing.left(all, begun)));
          }
          list();
        }
      }
    }
  }

  /** Prints what is new in the list, and notes the place in the journal from which to watch. */
  private void list() throws InterruptedException {
    Kinds kinds = target.kinds();
    if (kinds != Kinds.JOBS && kinds != Kinds.FLEET && kinds != Kinds.RUNS) {
      // Their lists do not tell their sequence.
      feed.fromNow();
    }
    Listings.Shown found = reconnection.read(() -> listings.find(kinds, target.name(), false));
    String sequence = found.sequence();
    if (sequence != null) {
      feed.from(sequence);
    }
    if (!listed) {
      limit.tell(found.items().size(), found.more() && kinds != Kinds.EVENTS);
      found.warnings().forEach(warning -> System.err.println("sluice: warning: " + warning));
    }
    List<JsonNode> items = found.items();
    if (kinds == Kinds.EVENTS && !listed && !items.isEmpty()) {
      // The oldest ones are listed; the later ones follow as events.
      feed.from(WatchedRows.place(items.get(items.size() - 1)));
    }
    terminal.print(rows.changes(items));
    boolean all = !found.more() && !found.single();
    if (all && complete && (kinds.quotaObjects() || kinds == Kinds.FLEET)) {
      rows.forgetAllBut(items).forEach(name -> terminal.print(name + " deleted"));
    }
    complete = all;
    listed = true;
  }

  /** Prints the jobs of events, if they match the filter or did when they were printed last. */
  private void jobs(List<JsonNode> events) throws InterruptedException {
    Set<String> ids = new LinkedHashSet<>();
    events.forEach(event -> ids.add(event.path("job").path("id").asText()));
    List<JsonNode> changed = new ArrayList<>();
    for (String id : ids) {
      JsonNode job = job(id);
      boolean matches = job != null && (target.name() != null || filter.matches(job));
      if (job != null && (matches || rows.knows(job))) {
        changed.add(job);
      }
    }
    terminal.print(rows.changes(changed));
    if (target.name() == null) {
      changed.stream().filter(job -> !filter.matches(job)).forEach(rows::forget);
    }
  }

  private @Nullable JsonNode job(String id) throws InterruptedException {
    try {
      return reconnection.read(() -> listings.job(id));
    } catch (RefusedException refused) {
      if (refused.absent()) {
        return null; // deleted, as it is past its retention
      }
      throw refused;
    }
  }
}
