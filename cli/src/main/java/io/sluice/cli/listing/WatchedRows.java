// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ServerClient.Listing;
import io.sluice.cli.form.OutputForm;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.ObjectNames;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.output.TextTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Formats items as lines, each item again when it has changed: rows of one table, or objects one
 * after another. Remembers the last {@value #REMEMBERED_MAX} items.
 */
final class WatchedRows {
  private static final int REMEMBERED_MAX = 10_000;

  /** Times of these columns pass without a change. */
  private static final Set<String> PASSING = Set.of("AGE", "SINCE", "TOOK");

  private final Kinds kinds;
  private final OutputForm form;
  private final Terminal terminal;
  private final Map<String, List<String>> shown =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, List<String>> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  private int[] widths = {};
  private boolean begun;

  WatchedRows(Kinds kinds, OutputForm form, Terminal terminal) {
    this.kinds = kinds;
    this.form = form;
    this.terminal = terminal;
  }

  /** Returns the lines of those items that have changed since they were returned. */
  List<String> changes(List<JsonNode> items) {
    List<JsonNode> changed = new ArrayList<>();
    for (JsonNode item : items) {
      List<String> content = content(item);
      if (!content.equals(shown.put(key(item), content))) {
        changed.add(item);
      }
    }
    List<String> lines = lines(changed);
    begun = true;
    return lines;
  }

  /** Whether the item was returned, and not forgotten since. */
  boolean knows(JsonNode item) {
    return shown.containsKey(key(item));
  }

  void forget(JsonNode item) {
    shown.remove(key(item));
  }

  /**
   * Forgets the items that a complete list does not have any more.
   *
   * @return their names as {@code KIND/NAME}, sorted
   */
  Set<String> forgetAllBut(List<JsonNode> items) {
    Set<String> there = new TreeSet<>();
    items.forEach(item -> there.add(key(item)));
    Set<String> gone = new TreeSet<>(shown.keySet());
    gone.removeAll(there);
    gone.forEach(shown::remove);
    return gone;
  }

  /** Returns the identity of an item among those of its kind. */
  private String key(JsonNode item) {
    return switch (kinds) {
      case EVENTS -> place(item);
      case ATTEMPTS -> item.path("index").asText() + "/" + item.path("attempt").asText();
      default -> ObjectNames.of(kinds, item);
    };
  }

  /** Returns the id of an event of a job. */
  static String place(JsonNode event) {
    return event.path("sequence").asText() + "." + event.path("position").asText();
  }

  /** Returns what makes an item look changed. */
  private List<String> content(JsonNode item) {
    return tabular() || form.is(GetCommand.NAME)
        ? table(List.of(item)).cellsWithout(PASSING)
        : form.object(item);
  }

  private List<String> lines(List<JsonNode> items) {
    if (form.is(GetCommand.NAME)) {
      return items.stream().map(item -> ObjectNames.of(kinds, item)).toList();
    }
    if (tabular()) {
      TextTable table = table(items);
      widths = begun ? widths : new int[table.columns()];
      return withoutHeader(table.lines(widths));
    }
    if (form.columns()) {
      return withoutHeader(form.list(items));
    }
    return items.stream().flatMap(item -> form.object(item).stream()).toList();
  }

  /** Returns the lines of a table, with the header only at the first time. */
  private List<String> withoutHeader(List<String> lines) {
    return begun ? lines.subList(1, lines.size()) : lines;
  }

  private boolean tabular() {
    return form.is(GetCommand.TABLE) || form.is(GetCommand.WIDE);
  }

  private TextTable table(List<JsonNode> items) {
    Listing listing = new Listing("/v1/" + kinds.plural(), items, false, List.of());
    TextTable table = new Tables(terminal, Instant.now()).of(kinds, listing);
    if (form.is(GetCommand.WIDE)) {
      WideColumns.add(kinds, listing, table);
    }
    return table;
  }
}
