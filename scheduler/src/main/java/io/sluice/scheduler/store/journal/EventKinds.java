// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.queuemodel.event.Event;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.StoreException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Maps the kinds of events to the words in their rows. */
final class EventKinds {
  private static final Map<String, Class<?>> KINDS = kinds();

  private EventKinds() {}

  private static Map<String, Class<?>> kinds() {
    Map<String, Class<?>> kinds = new TreeMap<>();
    add(Event.class, kinds);
    return kinds;
  }

  private static void add(Class<?> sort, Map<String, Class<?>> kinds) {
    for (Class<?> kind : sort.getPermittedSubclasses()) {
      if (kind.isSealed()) {
        add(kind, kinds);
      } else {
        kinds.put(kind.getSimpleName(), kind);
      }
    }
  }

  /** The event class of a word; null if this version has no such kind. */
  static @Nullable Class<?> find(String kind) {
    return KINDS.get(kind);
  }

  /**
   * Parses an event whose body is complete.
   *
   * @throws StoreException if this version has no such kind
   */
  static Event read(String kind, String body) {
    Class<?> type = find(kind);
    if (type == null) {
      throw new StoreException("an event of unknown kind: " + kind);
    }
    return (Event) JournalJson.read(body, type);
  }
}
