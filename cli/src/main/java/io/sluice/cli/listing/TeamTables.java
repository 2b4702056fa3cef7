// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.quota.QuotaObjectView;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Formats teams and role bindings. */
final class TeamTables {
  /** Most names of a list that a column shows. */
  private static final int SHOWN_MAX = 5;

  private TeamTables() {}

  static TextTable teams(List<QuotaObjectView> items) {
    TextTable table = new TextTable("NAME", "NAMESPACES", "ROOT", "MEMBERS", "ADMINISTRATORS");
    for (QuotaObjectView item : items) {
      JsonNode members = spec(item, "members");
      table.add(
          item.metadata().name(),
          joined(texts(spec(item, "namespaces"))),
          root(item),
          Integer.toString(members.size()),
          joined(administrators(members)));
    }
    return table;
  }

  private static String root(QuotaObjectView item) {
    String cohort = spec(item, "cohort").asText("");
    String queue = spec(item, "clusterQueue").asText("");
    return !cohort.isEmpty() ? "cohort/" + cohort : queue.isEmpty() ? "-" : "clusterqueue/" + queue;
  }

  private static List<String> administrators(JsonNode members) {
    List<String> names = new ArrayList<>();
    for (JsonNode member : members) {
      if (member.path("role").asText().equals("administrator")) {
        boolean isUser = member.has("user");
        names.add(isUser ? member.path("user").asText() : "group " + member.path("group").asText());
      }
    }
    return names;
  }

  static TextTable roleBindings(List<QuotaObjectView> items) {
    TextTable table = new TextTable("NAME", "ROLE", "NAMESPACES", "USERS", "GROUPS");
    for (QuotaObjectView item : items) {
      JsonNode namespaces = spec(item, "namespaces");
      table.add(
          item.metadata().name(),
          spec(item, "role").asText(),
          namespaces.isEmpty() ? "*" : joined(texts(namespaces)),
          joined(texts(spec(item, "users"))),
          joined(texts(spec(item, "groups"))));
    }
    return table;
  }

  private static JsonNode spec(QuotaObjectView item, String field) {
    return JsonRecords.field(item.spec(), field);
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private static String joined(List<String> names) {
    StringJoiner all = new StringJoiner(", ");
    all.setEmptyValue("-");
    names.stream().limit(SHOWN_MAX).forEach(all::add);
    if (names.size() > SHOWN_MAX) {
      all.add("and " + (names.size() - SHOWN_MAX) + " more");
    }
    return all.toString();
  }
}
