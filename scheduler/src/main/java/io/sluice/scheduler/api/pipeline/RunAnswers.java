// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.queuemodel.pipeline.Step;
import io.sluice.restmodel.pipeline.Run;
import io.sluice.restmodel.pipeline.RunStep;
import io.sluice.scheduler.api.Texts;
import io.sluice.scheduler.api.explanation.ExplanationAnswers;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.pipeline.run.RunOutlook;
import io.sluice.scheduler.pipeline.run.RunPart;
import io.sluice.scheduler.pipeline.run.RunRows;
import io.sluice.scheduler.pipeline.run.StepState;
import io.sluice.scheduler.pipeline.run.StoredRun;
import io.sluice.scheduler.store.JournalJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Converts runs of pipelines to answers. */
final class RunAnswers {
  private static final String PENDING = JobState.PENDING.name();

  private final Pipelines.Account account;
  private final Map<JobId, String> pending;

  /**
   * Converts a run with its steps.
   *
   * @param pending the run's jobs of which nothing is admitted, with the reason
   */
  RunAnswers(Pipelines.Account account, Map<JobId, String> pending) {
    this.account = account;
    this.pending = pending;
  }

  /** The parts of an answer that only a single run has. */
  private record Details(
      Map<String, Object> parameters, List<Run.LatenessChange> changes, List<RunStep> steps) {}

  /** A run without its steps. */
  static Run run(StoredRun run) {
    return run(run, null);
  }

  /** The run with its parameters and steps, each step with all tries of its parts. */
  Run account() {
    Map<String, Object> parameters = new LinkedHashMap<>();
    account.parameters().forEach((name, value) -> parameters.put(name, JournalJson.tree(value)));
    List<Run.LatenessChange> changes = account.changes().stream().map(RunAnswers::change).toList();
    Map<String, List<RunRows.TryRow>> tries = new TreeMap<>();
    for (RunRows.TryRow row : account.tries()) {
      tries.computeIfAbsent(row.step(), none -> new ArrayList<>()).add(row);
    }
    List<RunStep> steps =
        account.pipeline().allSteps().stream()
            .map(step -> step(step, tries.getOrDefault(step.name(), List.of())))
            .toList();
    return run(account.run(), new Details(parameters, changes, steps));
  }

  private static Run run(StoredRun run, @Nullable Details details) {
    StoredRun.Outlook outlook = run.outlook();
    return new Run(
        run.id().toString(),
        run.of().name(),
        run.of().namespace(),
        run.of().pipeline(),
        run.of().version(),
        Texts.unlessEmpty(run.schedule()),
        run.logicalTime(),
        run.state().name(),
        Texts.unlessEmpty(run.reason()),
        run.createdBy(),
        run.times().created(),
        run.times().started(),
        run.times().ended(),
        outlook.deadline(),
        ExplanationAnswers.finish(outlook),
        outlook.lateness() == null ? null : outlook.lateness().name(),
        details == null ? null : details.parameters(),
        details == null ? null : details.changes(),
        details == null ? null : details.steps());
  }

  private static Run.LatenessChange change(RunOutlook.Change change) {
    return new Run.LatenessChange(change.at(), change.lateness().name(), change.message());
  }

  private RunStep step(Step step, List<RunRows.TryRow> tries) {
    RunRows.StepRow row = account.steps().get(step.name());
    if (row == null) {
      return new RunStep(step.name(), null, null, null, null, null, null, null);
    }
    boolean waits = row.step().state() == StepState.RUNNING && allWait(tries);
    String reason = waits ? reasonToWait(tries) : "";
    return new RunStep(
        step.name(),
        waits ? PENDING : row.step().state().name(),
        Texts.unlessEmpty(reason.isEmpty() ? row.step().reason() : reason),
        step.dependsOn().stream().map(RunAnswers::dependency).toList(),
        step.equals(account.pipeline().exitHandler()) ? true : null,
        row.step().startedAt(),
        row.endedAt(),
        tries.stream().map(this::part).toList());
  }

  private static Object dependency(Step.Dependency dependency) {
    return dependency.when() == Step.Condition.SUCCEEDED
        ? dependency.step()
        : new RunStep.Dependency(dependency.step(), dependency.when().word());
  }

  /** Whether there are running tries, and the jobs of all of them wait to be admitted. */
  private boolean allWait(List<RunRows.TryRow> tries) {
    List<RunRows.TryRow> running = running(tries);
    return !running.isEmpty() && running.stream().allMatch(this::waits);
  }

  /** The reason of the first of them that has one; may be empty. */
  private String reasonToWait(List<RunRows.TryRow> tries) {
    return running(tries).stream()
        .map(row -> row.part().job())
        .filter(Objects::nonNull)
        .map(job -> pending.getOrDefault(new JobId(job), ""))
        .filter(reason -> !reason.isEmpty())
        .findFirst()
        .orElse("");
  }

  private static List<RunRows.TryRow> running(List<RunRows.TryRow> tries) {
    return tries.stream().filter(row -> row.part().state() == StepState.RUNNING).toList();
  }

  private boolean waits(RunRows.TryRow row) {
    UUID job = row.part().job();
    return job != null
        && row.part().state() == StepState.RUNNING
        && pending.containsKey(new JobId(job));
  }

  private RunStep.Try part(RunRows.TryRow row) {
    RunPart part = row.part();
    return new RunStep.Try(
        part.number(),
        part.tryNumber(),
        waits(row) ? PENDING : part.state().name(),
        part.job() == null ? null : part.job().toString(),
        part.output() == null ? null : JournalJson.tree(part.output()),
        part.cause() == null ? null : part.cause().name(),
        Texts.unlessEmpty(row.message()),
        row.times().started(),
        row.times().ended());
  }
}
