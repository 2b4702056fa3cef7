// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.manifests.document.Document;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.TextDocuments;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.quota.Rung;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads the terms of rungs, a list in an annotation. */
final class RungTermsReader {
  private static final Duration MIN = Duration.ofSeconds(1);
  private static final Duration MAX = Duration.ofDays(365);

  private RungTermsReader() {}

  /** One entry a rung at most; what is not said is as it would be without the annotation. */
  static List<Rung.Terms> read(String text, Path path, List<Rung> rungs, Violations violations) {
    List<Document> documents = TextDocuments.splitYaml(text);
    List<Rung.Terms> terms = new ArrayList<>();
    if (documents.size() != 1
        || !documents.get(0).violations().isEmpty()
        || !(documents.get(0).root() instanceof ArrayNode list)) {
      violations.add(path, text, "must be a list, one entry a priority");
      return terms;
    }
    if (list.size() > rungs.size()) {
      violations.add(
          path, text, "has " + list.size() + " entries: there are " + rungs.size() + " priorities");
      return terms;
    }
    for (int i = 0; i < list.size(); i++) {
      Rung.Terms usual = rungs.get(i).terms();
      JsonNode entry = list.get(i);
      ObjectCursor cursor =
          entry.isNull() ? null : ObjectCursor.open(entry, path.index(i), "a rung", violations);
      terms.add(cursor == null ? usual : terms(cursor, usual));
    }
    return terms;
  }

  private static Rung.Terms terms(ObjectCursor cursor, Rung.Terms usual) {
    Duration deadline = cursor.duration("deadline", MIN, MAX);
    Duration coolDown = cursor.duration("coolDown", MIN, MAX);
    BigDecimal price = cursor.decimal("pricePerChipHour");
    if (price != null && price.signum() < 0) {
      cursor.refuse("pricePerChipHour", "must not be negative");
    }
    cursor.end();
    return new Rung.Terms(
        deadline == null ? usual.deadline() : deadline,
        coolDown == null ? usual.coolDown() : coolDown,
        price == null ? null : price.stripTrailingZeros());
  }
}
