// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.Schedule;
import io.sluice.scheduler.pipeline.run.RunStart;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.submission.RefusedException.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Checks that the schedules of a pipeline can fire, and that their runs can begin. */
public final class ScheduleCheck {
  private ScheduleCheck() {}

  /**
   * Refuses schedules that could never fire, or whose runs could not begin.
   *
   * @throws RefusedException naming the field
   */
  public static void check(Pipeline pipeline) {
    List<String> wrong = new ArrayList<>();
    for (int at = 0; at < pipeline.schedules().size(); at++) {
      Schedule schedule = pipeline.schedules().get(at);
      String place = "spec.schedules[" + at + "] of pipeline " + pipeline.meta().name();
      try {
        FirePlan plan =
            FirePlan.of(
                pipeline.meta().namespace(), pipeline.meta().name(), schedule, Duration.ZERO);
        Instant start = schedule.span().start();
        if (start != null && plan.next(start.minusMillis(1)) == null) {
          throw new InvalidValueException("never fires between its start and its end");
        }
      } catch (InvalidValueException invalid) {
        wrong.add("%s: cron %s %s".formatted(place, schedule.cron(), invalid.getMessage()));
      }
      try {
        RunStart.parameters(pipeline, given(schedule));
      } catch (RefusedException refused) {
        wrong.add(place + ": " + refused.getMessage());
      }
    }
    if (!wrong.isEmpty()) {
      throw new RefusedException(Kind.UNPROCESSABLE, String.join("; ", wrong));
    }
  }

  /** The parameters that a schedule passes to its runs. */
  static Map<String, JsonNode> given(Schedule schedule) {
    TreeMap<String, JsonNode> given = new TreeMap<>();
    schedule.parameters().forEach((name, json) -> given.put(name, JournalJson.tree(json)));
    return given;
  }
}
