// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.ManifestWriter;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.Step;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.pipeline.definition.StoredPipeline;
import io.sluice.scheduler.pipeline.run.ExpectedFinish;
import io.sluice.scheduler.pipeline.run.RunOutlook;
import io.sluice.scheduler.pipeline.run.RunRows;
import io.sluice.scheduler.pipeline.run.RunStep;
import io.sluice.scheduler.pipeline.run.StepState;
import io.sluice.scheduler.pipeline.run.StoredRun;
import io.sluice.scheduler.store.JournalJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Pipelines and runs as JSON for callers. */
public final class PipelineJson {
  private static final String PENDING = JobState.PENDING.name();

  private PipelineJson() {}

  /** The answer to a dry run of a deletion, which affects no job. */
  static ObjectNode wouldBeDeleted(Pipeline pipeline) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("dryRun", true);
    json.putArray("results")
        .addObject()
        .put("kind", "Pipeline")
        .put("namespace", pipeline.meta().namespace())
        .put("name", pipeline.meta().name())
        .put("result", "deleted");
    json.putObject("preview").put("complete", true);
    return json;
  }

  /** The manifest with its status. */
  static ObjectNode pipeline(StoredPipeline stored) {
    ObjectNode json = ManifestWriter.toJson(stored.pipeline());
    ObjectNode status = json.putObject("status");
    status.put("version", stored.version());
    status.put("runs", stored.runs());
    status.put("createdAt", stored.createdAt().toString());
    status.put("updatedAt", stored.updatedAt().toString());
    return json;
  }

  /** Adds the objects that must exist before runs succeed, if any. */
  public static void putWarnings(ObjectNode json, List<String> warnings) {
    if (!warnings.isEmpty()) {
      ArrayNode list = json.putArray("warnings");
      warnings.forEach(list::add);
    }
  }

  static ObjectNode run(StoredRun run) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", run.id().toString());
    json.put("name", run.of().name());
    json.put("namespace", run.of().namespace());
    json.put("pipeline", run.of().pipeline());
    json.put("version", run.of().version());
    if (!run.schedule().isEmpty()) {
      json.put("schedule", run.schedule());
    }
    json.put("logicalTime", run.logicalTime().toString());
    json.put("state", run.state().name());
    if (!run.reason().isEmpty()) {
      json.put("reason", run.reason());
    }
    json.put("createdBy", run.createdBy());
    putTime(json, "createdAt", run.times().created());
    putTime(json, "startedAt", run.times().started());
    putTime(json, "endedAt", run.times().ended());
    putOutlook(json, run.outlook());
    return json;
  }

  private static void putOutlook(ObjectNode json, StoredRun.Outlook outlook) {
    putTime(json, "deadline", outlook.deadline());
    ExpectedFinish expected = outlook.expected();
    if (expected != null) {
      ObjectNode finish = json.putObject("expectedFinish");
      putTime(finish, "earliest", expected.earliest());
      putTime(finish, "latest", expected.latest());
    }
    if (outlook.lateness() != null) {
      json.put("lateness", outlook.lateness().name());
    }
  }

  /**
   * A run with its parameters and steps, each step with all tries of its parts.
   *
   * @param pending the run's jobs of which nothing is admitted, with the reason
   */
  static ObjectNode account(Pipelines.Account account, Map<JobId, String> pending) {
    ObjectNode json = run(account.run());
    ObjectNode parameters = json.putObject("parameters");
    account.parameters().forEach((name, value) -> parameters.set(name, JournalJson.tree(value)));
    ArrayNode changes = json.putArray("latenessChanges");
    for (RunOutlook.Change change : account.changes()) {
      ObjectNode one = changes.addObject();
      putTime(one, "at", change.at());
      one.put("lateness", change.lateness().name());
      one.put("message", change.message());
    }
    Map<String, List<RunRows.TryRow>> tries = new TreeMap<>();
    for (RunRows.TryRow row : account.tries()) {
      tries.computeIfAbsent(row.step(), none -> new ArrayList<>()).add(row);
    }
    ArrayNode steps = json.putArray("steps");
    for (Step step : account.pipeline().allSteps()) {
      putStep(steps.addObject(), step, account, tries, pending);
    }
    return json;
  }

  private static void putStep(
      ObjectNode json,
      Step step,
      Pipelines.Account account,
      Map<String, List<RunRows.TryRow>> tries,
      Map<JobId, String> pending) {
    RunRows.StepRow row = account.steps().get(step.name());
    json.put("name", step.name());
    if (row == null) {
      return;
    }
    RunStep known = row.step();
    json.put("state", known.state().name());
    if (!known.reason().isEmpty()) {
      json.put("reason", known.reason());
    }
    List<RunRows.TryRow> rows = tries.getOrDefault(step.name(), List.of());
    putPending(json, known, rows, pending);
    ArrayNode dependsOn = json.putArray("dependsOn");
    for (Step.Dependency dependency : step.dependsOn()) {
      if (dependency.when() == Step.Condition.SUCCEEDED) {
        dependsOn.add(dependency.step());
      } else {
        dependsOn.addObject().put("step", dependency.step()).put("when", dependency.when().word());
      }
    }
    if (step.equals(account.pipeline().exitHandler())) {
      json.put("exitHandler", true);
    }
    putTime(json, "startedAt", known.startedAt());
    putTime(json, "endedAt", row.endedAt());
    ArrayNode parts = json.putArray("parts");
    for (RunRows.TryRow one : rows) {
      ObjectNode part = parts.addObject();
      putTry(part, one);
      if (waits(one, pending)) {
        part.put("state", PENDING);
      }
    }
  }

  /**
   * Marks a step as pending if all its jobs wait to be admitted, with the reason of the first of
   * them.
   */
  private static void putPending(
      ObjectNode json, RunStep step, List<RunRows.TryRow> rows, Map<JobId, String> pending) {
    List<RunRows.TryRow> running =
        rows.stream().filter(row -> row.part().state() == StepState.RUNNING).toList();
    boolean waits =
        step.state() == StepState.RUNNING
            && !running.isEmpty()
            && running.stream().allMatch(row -> waits(row, pending));
    if (waits) {
      json.put("state", PENDING);
      running.stream()
          .map(row -> row.part().job())
          .filter(Objects::nonNull)
          .map(job -> pending.getOrDefault(new JobId(job), ""))
          .filter(reason -> !reason.isEmpty())
          .findFirst()
          .ifPresent(reason -> json.put("reason", reason));
    }
  }

  private static boolean waits(RunRows.TryRow row, Map<JobId, String> pending) {
    UUID job = row.part().job();
    return job != null
        && row.part().state() == StepState.RUNNING
        && pending.containsKey(new JobId(job));
  }

  private static void putTry(ObjectNode json, RunRows.TryRow row) {
    json.put("part", row.part().number());
    json.put("try", row.part().tryNumber());
    json.put("state", row.part().state().name());
    if (row.part().job() != null) {
      json.put("job", row.part().job().toString());
    }
    if (row.part().output() != null) {
      json.set("output", JournalJson.tree(row.part().output()));
    }
    if (row.part().cause() != null) {
      json.put("cause", row.part().cause().name());
    }
    if (!row.message().isEmpty()) {
      json.put("message", row.message());
    }
    putTime(json, "startedAt", row.times().started());
    putTime(json, "endedAt", row.times().ended());
  }

  private static void putTime(ObjectNode json, String field, @Nullable Instant time) {
    if (time != null) {
      json.put(field, time.toString());
    }
  }
}
