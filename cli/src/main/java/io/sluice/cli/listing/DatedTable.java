// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.JsonRecords;
import io.sluice.cli.output.TextTable;
import io.sluice.restmodel.quota.QuotaObjectView;
import java.util.List;
import java.util.StringJoiner;

/** Formats bookings and outages. */
final class DatedTable {
  private DatedTable() {}

  static TextTable of(List<QuotaObjectView> items) {
    TextTable table = new TextTable("NAME", "QUEUE", "FROM", "UNTIL", "QUOTA", "SLICES", "CROSSED");
    for (QuotaObjectView item : items) {
      List<String> warnings = item.warnings();
      table.add(
          item.metadata().name(),
          spec(item, "clusterQueue").asText("-"),
          spec(item, "from").asText(),
          spec(item, "until").asText(),
          quota(spec(item, "quota")),
          slices(item),
          warnings == null ? "no" : "yes");
    }
    return table;
  }

  private static JsonNode spec(QuotaObjectView item, String field) {
    return JsonRecords.field(item.spec(), field);
  }

  private static String quota(JsonNode quota) {
    StringJoiner all = new StringJoiner(", ");
    all.setEmptyValue("-");
    for (JsonNode entry : quota) {
      String flavor = entry.path("flavor").asText();
      if (!entry.has("amounts")) {
        all.add("all of " + flavor);
      }
      entry
          .path("amounts")
          .properties()
          .forEach(
              amount ->
                  all.add(amount.getValue().asText() + " " + amount.getKey() + " of " + flavor));
    }
    return all.toString();
  }

  private static String slices(QuotaObjectView item) {
    StringJoiner all = new StringJoiner(" ");
    all.setEmptyValue("-");
    spec(item, "slices").forEach(slice -> all.add(slice.asText()));
    spec(item, "hosts").forEach(host -> all.add("host/" + host.asText()));
    return all.toString();
  }
}
