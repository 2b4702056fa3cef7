// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.pipeline.Schedule;
import io.sluice.scheduler.pipeline.Schedules;
import io.sluice.scheduler.pipeline.StoredBackfill;
import io.sluice.scheduler.pipeline.StoredSchedule;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes schedules and backfills for callers. */
final class ScheduleJson {
  private ScheduleJson() {}

  /**
   * A schedule.
   *
   * @param upcoming how many of its next logical times are wanted
   */
  static ObjectNode schedule(StoredSchedule stored, int upcoming) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    Schedule schedule = stored.schedule();
    json.put("namespace", stored.namespace());
    json.put("pipeline", stored.pipeline());
    json.put("name", schedule.name());
    json.put("cron", schedule.cron());
    json.put("timeZone", schedule.timeZone().getId());
    json.put("concurrencyPolicy", schedule.policies().concurrency().word());
    json.put("misfirePolicy", schedule.policies().misfire().word());
    json.put("paused", stored.paused());
    json.put("savedBy", stored.savedBy());
    StoredSchedule.Progress progress = stored.progress();
    putTime(json, "consideredTo", progress.consideredTo());
    putTime(json, "nextTime", progress.next());
    putTime(json, "dueAt", progress.dueAt());
    json.put("missed", progress.missed());
    putTime(json, "missedAt", progress.missedAt());
    if (!progress.missedReason().isEmpty()) {
      json.put("missedReason", progress.missedReason());
    }
    if (upcoming > 0) {
      ArrayNode times = json.putArray("upcoming");
      Schedules.upcoming(stored, upcoming).forEach(time -> times.add(time.toString()));
    }
    return json;
  }

  static ObjectNode backfill(StoredBackfill backfill) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", backfill.id().toString());
    json.put("namespace", backfill.of().namespace());
    json.put("pipeline", backfill.of().pipeline());
    json.put("schedule", backfill.of().schedule());
    json.put("from", backfill.times().from().toString());
    json.put("to", backfill.times().to().toString());
    json.put("maxParallel", backfill.counts().maxParallel());
    json.put("times", backfill.counts().times());
    json.put("begun", backfill.counts().begun());
    json.put("thereBefore", backfill.counts().thereBefore());
    json.put("state", backfill.state().name());
    if (!backfill.reason().isEmpty()) {
      json.put("reason", backfill.reason());
    }
    json.put("createdBy", backfill.createdBy());
    putTime(json, "createdAt", backfill.times().created());
    putTime(json, "endedAt", backfill.times().ended());
    return json;
  }

  private static void putTime(ObjectNode json, String field, @Nullable Instant time) {
    if (time != null) {
      json.put(field, time.toString());
    }
  }
}
