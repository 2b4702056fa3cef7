// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.denial;

import io.sluice.scheduler.security.Caller;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts denied requests by caller, so that each caller has at most one record for each {@link
 * #INTERVAL}, however many requests it makes. At most {@link #CALLERS_MAX} callers are counted at a
 * time; requests of further ones are left out. Thread-safe.
 */
final class DenialCounter {
  static final Duration INTERVAL = Duration.ofMinutes(1);
  static final int CALLERS_MAX = 10_000;

  private final Map<String, Count> counts = new TreeMap<>();

  /**
   * Denied requests of a caller.
   *
   * @param first what the first of them asked for, as method and path
   * @param reason why the first was denied
   */
  record Denials(Caller caller, long count, Instant since, String first, String reason) {}

  private static final class Count {
    private @Nullable Denials denials;
    private Instant recorded = Instant.MIN;
  }

  /** Counts a request. */
  synchronized void add(Caller caller, String request, String reason, Instant now) {
    Count count = counts.get(caller.name());
    if (count == null) {
      if (counts.size() >= CALLERS_MAX) {
        return;
      }
      count = new Count();
      counts.put(caller.name(), count);
    }
    Denials before = count.denials;
    count.denials =
        before == null
            ? new Denials(caller, 1, now, request, reason)
            : new Denials(
                caller, before.count() + 1, before.since(), before.first(), before.reason());
  }

  /**
   * Removes and returns the counts of callers without a record in the last interval.
   *
   * @param all whether to return the counts of the other callers, too
   */
  synchronized List<Denials> take(Instant now, boolean all) {
    List<Denials> due = new ArrayList<>();
    Iterator<Count> each = counts.values().iterator();
    while (each.hasNext()) {
      Count count = each.next();
      boolean interval = !count.recorded.isAfter(now.minus(INTERVAL));
      Denials denials = count.denials;
      if (denials == null) {
        if (interval) {
          each.remove();
        }
      } else if (interval || all) {
        due.add(denials);
        count.denials = null;
        count.recorded = now;
      }
    }
    return due;
  }
}
