// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.manifests.field.KeptFields;
import io.sluice.manifests.field.Schema;
import io.sluice.queuemodel.pipeline.FanOut;
import io.sluice.queuemodel.pipeline.Parameter;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.RunTerms;
import io.sluice.queuemodel.pipeline.Schedule;
import io.sluice.queuemodel.pipeline.Schedule.Policies;
import io.sluice.queuemodel.pipeline.Step;
import io.sluice.queuemodel.pipeline.StepRetry;
import io.sluice.queuemodel.pipeline.WhenLate;
import java.time.Duration;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Writes {@code kind: Pipeline}; default values are omitted. */
public final class PipelineWriter {
  private PipelineWriter() {}

  public static ObjectNode write(Pipeline pipeline) {
    ObjectNode top = FieldWriter.manifest(Schema.OURS, Schema.PIPELINE, pipeline.meta());
    ObjectNode spec = top.putObject("spec");
    putTerms(spec, pipeline.terms());
    if (!pipeline.parameters().isEmpty()) {
      ArrayNode parameters = spec.putArray("parameters");
      for (Parameter parameter : pipeline.parameters()) {
        ObjectNode entry = parameters.addObject().put("name", parameter.name());
        if (parameter.fallback() != null) {
          entry.set("default", KeptFields.parse(parameter.fallback()));
        }
        FieldWriter.putText(entry, "description", parameter.description());
      }
    }
    ArrayNode steps = spec.putArray("steps");
    pipeline.steps().forEach(step -> putStep(steps.addObject(), step));
    if (pipeline.exitHandler() != null) {
      putStep(spec.putObject("exitHandler"), pipeline.exitHandler());
    }
    if (!pipeline.schedules().isEmpty()) {
      ArrayNode schedules = spec.putArray("schedules");
      pipeline.schedules().forEach(schedule -> putSchedule(schedules.addObject(), schedule));
    }
    return top;
  }

  private static void putTerms(ObjectNode spec, RunTerms terms) {
    putDuration(spec, "timeLimit", terms.timeLimit());
    putDuration(spec, "deadline", terms.deadline());
    WhenLate whenLate = terms.whenLate();
    if (whenLate != null) {
      ObjectNode reaction = spec.putObject("whenLate").put("from", whenLate.from().word());
      putDuration(reaction, "headStartMax", whenLate.headStartMax());
    }
    FieldWriter.putText(spec, "priorityClass", terms.priorityClass());
    if (!terms.keepFor().equals(RunTerms.KEEP_FOR)) {
      putDuration(spec, "keepRunsFor", terms.keepFor());
    }
  }

  private static void putStep(ObjectNode entry, Step step) {
    entry.put("name", step.name());
    if (!step.dependsOn().isEmpty()) {
      ArrayNode dependencies = entry.putArray("dependsOn");
      for (Step.Dependency dependency : step.dependsOn()) {
        if (dependency.when() == Step.Condition.SUCCEEDED) {
          dependencies.add(dependency.step());
        } else {
          dependencies
              .addObject()
              .put("step", dependency.step())
              .put("when", dependency.when().word());
        }
      }
    }
    FanOut fanOut = step.fanOut();
    if (fanOut != null) {
      if (fanOut.expression() != null) {
        entry.put("forEach", fanOut.expression());
      } else {
        ArrayNode items = entry.putArray("forEach");
        fanOut.items().forEach(item -> items.add(KeptFields.parse(item)));
      }
      if (fanOut.maxParallel() != FanOutReader.ITEMS_MAX) {
        entry.put("maxParallel", fanOut.maxParallel());
      }
    }
    putRetry(entry, step.retry());
    putDuration(entry, "timeLimit", step.timeLimit());
    FieldWriter.putText(entry, "priorityClass", step.priorityClass());
    entry.set("job", KeptFields.parse(step.job()));
  }

  private static void putRetry(ObjectNode entry, StepRetry retry) {
    if (retry.equals(StepRetry.NONE)) {
      return;
    }
    ObjectNode node = entry.putObject("retry").put("limit", retry.limit());
    FieldWriter.putTexts(node, "causes", retry.causes().stream().map(Enum::name).toList());
    if (!retry.backoff().equals(StepRetry.NONE.backoff())) {
      putDuration(node, "backoff", retry.backoff());
    }
  }

  private static void putSchedule(ObjectNode entry, Schedule schedule) {
    entry.put("name", schedule.name()).put("cron", schedule.cron());
    if (!schedule.timeZone().equals(ZoneOffset.UTC)) {
      entry.put("timeZone", schedule.timeZone().getId());
    }
    if (schedule.span().start() != null) {
      entry.put("start", schedule.span().start().toString());
    }
    if (schedule.span().end() != null) {
      entry.put("end", schedule.span().end().toString());
    }
    if (!schedule.jitter().isZero()) {
      putDuration(entry, "jitter", schedule.jitter());
    }
    Policies policies = schedule.policies();
    if (policies.concurrency() != Policies.DEFAULT.concurrency()) {
      entry.put("concurrencyPolicy", policies.concurrency().word());
    }
    if (policies.misfire() != Policies.DEFAULT.misfire()) {
      entry.put("misfirePolicy", policies.misfire().word());
    }
    if (policies.runsMax() != Policies.DEFAULT.runsMax()) {
      entry.put("misfireRunsMax", policies.runsMax());
    }
    putDuration(entry, "startingDeadline", policies.startingDeadline());
    if (schedule.paused()) {
      entry.put("paused", true);
    }
    if (!schedule.parameters().isEmpty()) {
      ObjectNode parameters = entry.putObject("parameters");
      schedule.parameters().forEach((name, json) -> parameters.set(name, KeptFields.parse(json)));
    }
  }

  private static void putDuration(ObjectNode owner, String field, @Nullable Duration duration) {
    if (duration != null) {
      owner.put(field, DurationNotation.format(duration));
    }
  }
}
