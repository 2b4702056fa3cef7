// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.manifests.field.KeptFields;
import io.sluice.manifests.field.NearestWord;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Names;
import io.sluice.queuemodel.pipeline.Schedule;
import io.sluice.queuemodel.pipeline.Schedule.Concurrency;
import io.sluice.queuemodel.pipeline.Schedule.Misfire;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the schedules of pipelines. Whether a cron line ever fires is not looked at here. */
public final class ScheduleReader {
  private static final int CRON_LENGTH_MAX = 200;
  private static final int MADE_UP_MAX = 10_000;
  private static final int PARAMETERS_MAX = 100;
  private static final List<Concurrency> CONCURRENCIES = List.of(Concurrency.values());
  private static final List<Misfire> MISFIRES = List.of(Misfire.values());

  private ScheduleReader() {}

  static @Nullable Schedule read(
      ObjectCursor cursor, Set<String> names, Set<String> parameterNames) {
    String name = cursor.requiredText("name", Names::requireLabel);
    if (!name.isEmpty() && !names.add(name)) {
      cursor.refuse("name", "is there twice");
    }
    String cron = cursor.requiredText("cron", ScheduleReader::requireCron);
    ZoneId zone = zone(cursor);
    Instant start = instant(cursor, "start");
    Instant end = instant(cursor, "end");
    if (start != null && end != null && !end.isAfter(start)) {
      cursor.refuse("end", "must be after start");
    }
    Duration jitter = cursor.duration("jitter", Duration.ZERO, Duration.ofDays(1));
    Schedule.Policies policies = policies(cursor);
    boolean paused = Boolean.TRUE.equals(cursor.flag("paused"));
    TreeMap<String, String> parameters = new TreeMap<>();
    cursor.entries(
        "parameters",
        PARAMETERS_MAX,
        PipelineReader::requireParameter,
        (key, value, path, scalars) -> {
          if (parameterNames.contains(key)) {
            String kept = new KeptFields(cursor.violations()).json(value, path);
            parameters.put(key, kept == null ? "null" : kept);
          } else {
            cursor
                .violations()
                .add(
                    path,
                    key,
                    "is no parameter of the pipeline"
                        + NearestWord.suggestion(key, parameterNames));
          }
        });
    cursor.end();
    return new Schedule(
        name,
        cron,
        zone,
        new Schedule.Span(start, end),
        jitter == null ? Duration.ZERO : jitter,
        policies,
        paused,
        parameters);
  }

  private static Schedule.Policies policies(ObjectCursor cursor) {
    Schedule.Policies usual = Schedule.Policies.DEFAULT;
    Concurrency concurrency =
        cursor.word("concurrencyPolicy", CONCURRENCIES, Concurrency::word, usual.concurrency());
    Misfire misfire = cursor.word("misfirePolicy", MISFIRES, Misfire::word, usual.misfire());
    int runsMax = cursor.whole("misfireRunsMax", 1, MADE_UP_MAX, usual.runsMax());
    if (cursor.has("misfireRunsMax") && misfire != Misfire.RUN_ALL) {
      cursor.refuse("misfireRunsMax", "must not be there unless misfirePolicy is RunAll");
    }
    Duration startingDeadline =
        cursor.duration("startingDeadline", PipelineReader.LIMIT_MIN, PipelineReader.LIMIT_MAX);
    return new Schedule.Policies(concurrency, misfire, runsMax, startingDeadline);
  }

  public static String requireCron(String text) {
    if (text.isBlank() || text.length() > CRON_LENGTH_MAX) {
      throw new InvalidValueException("must be a cron line such as 0 2 * * *");
    }
    return text.strip();
  }

  public static ZoneId zone(ObjectCursor cursor) {
    String written = cursor.text("timeZone");
    if (written == null) {
      return ZoneOffset.UTC;
    }
    try {
      return ZoneId.of(written);
    } catch (DateTimeException unknown) {
      cursor.refuse("timeZone", "must be an IANA time zone such as Europe/Berlin");
      return ZoneOffset.UTC;
    }
  }

  private static @Nullable Instant instant(ObjectCursor cursor, String field) {
    JsonNode written = cursor.raw(field);
    if (written == null) {
      return null;
    }
    try {
      return Instant.parse(written.asText());
    } catch (DateTimeException notInstant) {
      cursor.refuse(field, "must be a time such as 2026-11-21T02:00:00Z");
      return null;
    }
  }
}
