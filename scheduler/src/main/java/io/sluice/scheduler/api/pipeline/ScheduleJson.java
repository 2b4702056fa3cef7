// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.pipeline.Schedule;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.pipeline.schedule.Schedules;
import io.sluice.scheduler.pipeline.schedule.StoredBackfill;
import io.sluice.scheduler.pipeline.schedule.StoredSchedule;
import io.sluice.scheduler.pipeline.schedule.UpcomingRun;
import io.sluice.scheduler.pipeline.schedule.UpcomingRuns;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Schedules and backfills as JSON for callers. */
final class ScheduleJson {
  private ScheduleJson() {}

  /** The time zone as manifests write it: UTC, whose id would be {@code Z}. */
  private static String zone(ZoneId zone) {
    return zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId();
  }

  /**
   * A schedule.
   *
   * @param upcoming number of its next logical times to add
   */
  static ObjectNode schedule(StoredSchedule stored, int upcoming) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    Schedule schedule = stored.schedule();
    json.put("namespace", stored.namespace());
    json.put("pipeline", stored.pipeline());
    json.put("name", schedule.name());
    json.put("cron", schedule.cron());
    json.put("timeZone", zone(schedule.timeZone()));
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

  /** Upcoming runs; the list is complete up to the time {@code until}. */
  static ObjectNode upcoming(UpcomingRuns.Answer answer) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode items = json.putArray("items");
    for (UpcomingRun run : answer.runs()) {
      ObjectNode item = items.addObject();
      item.put("namespace", run.namespace());
      item.put("pipeline", run.pipeline());
      item.put("version", run.version());
      item.put("schedule", run.schedule());
      item.put("logicalTime", run.logicalTime().toString());
      item.put("dueAt", run.dueAt().toString());
      ArrayNode jobs = item.putArray("jobs");
      run.jobs().forEach(job -> putWanted(jobs.addObject(), job));
    }
    if (answer.next() != null) {
      json.put("nextCursor", Pages.write(answer.next()));
    }
    return json.put("until", answer.until().toString());
  }

  private static void putWanted(ObjectNode json, UpcomingRun.Wanted wanted) {
    json.put("step", wanted.step());
    json.put("first", wanted.first());
    if (wanted.count() != null) {
      json.put("count", wanted.count());
    }
    if (!wanted.unknown().isEmpty()) {
      json.put("unknown", wanted.unknown());
    }
    JobSpec job = wanted.job();
    if (job == null) {
      return;
    }
    json.put("queue", job.queue());
    if (job.computeClass() != null) {
      json.put("class", job.computeClass());
    }
    if (job.priority().className() != null) {
      json.put("priorityClass", job.priority().className());
    }
    AcceleratorRequest accelerator = job.accelerator();
    if (accelerator != null) {
      ObjectNode slices = json.putObject("slices");
      slices.put("type", accelerator.type());
      slices.put("topology", accelerator.topology().toString());
      slices.put("min", accelerator.slices().min());
      slices.put("max", accelerator.slices().max());
    }
    ArrayNode podSets = json.putArray("podSets");
    for (PodSet podSet : job.shape().podSets()) {
      ObjectNode one = podSets.addObject().put("name", podSet.name()).put("count", podSet.count());
      ObjectNode requests = one.putObject("requests");
      podSet
          .requests()
          .amounts()
          .forEach(
              (resource, amount) ->
                  requests.put(resource.value(), Quantities.format(amount, resource)));
    }
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
