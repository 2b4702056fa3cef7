// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.scheduler.store.journal.HistoryReader.AttemptHistory;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An attempt as JSON for callers. */
final class AttemptJson {
  private AttemptJson() {}

  static ObjectNode of(AttemptHistory attempt) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("index", attempt.key().index());
    json.put("attempt", attempt.key().attempt());
    json.put("generation", attempt.generation());
    json.put("state", attempt.state());
    json.put("clusterQueue", attempt.clusterQueue());
    json.set("assignment", attempt.assignment());
    put(json, "admittedAt", attempt.times().admitted());
    put(json, "startedAt", attempt.times().started());
    put(json, "drainingAt", attempt.times().draining());
    put(json, "endedAt", attempt.times().ended());
    AttemptRecord.Progress progress = attempt.course().progress();
    put(json, "progressAt", progress.at());
    put(json, "stalledSince", progress.stalledSince());
    if (!progress.text().isEmpty()) {
      json.put("progress", progress.text());
    }
    if (attempt.course().checkpoint() != null) {
      json.put("checkpoint", attempt.course().checkpoint());
    }
    if (attempt.course().lastResize() != null) {
      json.set("lastResize", attempt.course().lastResize());
    }
    Duration maxRun = attempt.terms().maxRun();
    if (maxRun != null) {
      put(json, "leaseEnd", attempt.times().admitted().plus(maxRun));
    }
    BigDecimal price = attempt.terms().pricePerChipHour();
    if (price != null) {
      json.put("pricePerChipHour", price.toPlainString());
    }
    if (attempt.drain() != null) {
      json.set("drain", attempt.drain());
    }
    if (attempt.ending().outcome() != null) {
      json.put("outcome", attempt.ending().outcome());
      json.put("cause", attempt.ending().cause());
      json.put("message", attempt.ending().message());
    }
    return json;
  }

  private static void put(ObjectNode json, String field, @Nullable Instant time) {
    if (time != null) {
      json.put(field, time.toString());
    }
  }
}
