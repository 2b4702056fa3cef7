// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import io.sluice.queuemodel.event.Event;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.StoreException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The kinds of events by the words of their rows. */
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

  /** Null if there is no such kind in this version. */
  static @Nullable Class<?> find(String kind) {
    return KINDS.get(kind);
  }

  /**
   * The event of a row whose body tells all of it.
   *
   * @throws StoreException if there is no such kind in this version
   */
  static Event read(String kind, String body) {
    Class<?> type = find(kind);
    if (type == null) {
      throw new StoreException("an event of unknown kind: " + kind);
    }
    return (Event) JournalJson.read(body, type);
  }
}
