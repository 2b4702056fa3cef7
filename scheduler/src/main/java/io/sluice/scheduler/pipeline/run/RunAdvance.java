// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.pipeline.FanOut;
import io.sluice.queuemodel.pipeline.Step;
import io.sluice.queuemodel.pipeline.Step.Condition;
import io.sluice.queuemodel.pipeline.StepRetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Computes the next changes of a run: steps that begin, are skipped or have ended, parts that are
 * tried (again), and the end of the run. A pure function of the run and the time, and idempotent:
 * after its changes are stored, it returns none.
 */
final class RunAdvance {
  private static final Duration BACKOFF_MAX = Duration.ofHours(1);
  private static final int DOUBLINGS_MAX = 20;

  private final Instant now;
  private final List<RunChange> changes = new ArrayList<>();
  private final TreeSet<UUID> unwanted = new TreeSet<>();
  private final TreeMap<String, RunStep> steps;

  /** The run with the changes so far. */
  private final RunView run;

  private RunAdvance(RunView run, Instant now) {
    this.steps = new TreeMap<>(run.steps());
    this.run =
        new RunView(
            run.id(), run.pipeline(), run.identity(), run.parameters(), steps, run.ending());
    this.now = now;
  }

  /** All next changes, in the order in which they are to be written. */
  static List<RunChange> of(RunView run, Instant now) {
    RunAdvance advance = new RunAdvance(run, now);
    advance.advance();
    return advance.changes;
  }

  private void advance() {
    // A step that begins or is skipped may unblock others, before or after it in the list.
    int before;
    do {
      before = changes.size();
      for (Step step : run.pipeline().steps()) {
        take(step, run.ending() != null, null);
      }
    } while (changes.size() > before);
    if (!run.pipeline().steps().stream().allMatch(step -> run.step(step.name()).state().ended())) {
      return;
    }
    RunState outcome = outcome();
    Step exit = run.pipeline().exitHandler();
    if (exit != null) {
      take(exit, false, outcome);
      // If the job could not be created, its part has ended; the second call sees that.
      take(exit, false, outcome);
      if (!run.step(exit.name()).state().ended()) {
        return;
      }
    }
    changes.add(new RunChange.RunEnded(outcome, reason(outcome)));
  }

  /** Advances a step as far as possible now. */
  private void take(Step step, boolean stopping, @Nullable RunState outcome) {
    RunStep known = run.step(step.name());
    if (known.state() == StepState.WAITING) {
      begin(step, known, stopping);
    } else if (known.state() == StepState.RUNNING) {
      goOn(step, known, stopping, outcome);
    }
  }

  private void begin(Step step, RunStep known, boolean stopping) {
    if (stopping) {
      set(known, StepState.CANCELLED, known.parts(), "the run is to end");
      return;
    }
    boolean ready = true;
    for (Step.Dependency dependency : step.dependsOn()) {
      StepState state = run.step(dependency.step()).state();
      if (state.ended() && !isMet(dependency.when(), state)) {
        set(
            known,
            StepState.SKIPPED,
            known.parts(),
            dependency.step() + " ended " + word(state) + ", not " + dependency.when().word());
        return;
      }
      ready &= state.ended();
    }
    if (ready) {
      beginParts(step, known);
    }
  }

  private static boolean isMet(Condition condition, StepState ended) {
    return switch (condition) {
      case SUCCEEDED -> ended == StepState.SUCCEEDED;
      case FAILED -> ended == StepState.FAILED;
      case ALWAYS -> true;
    };
  }

  /** Begins the parts of a step; keeps parts that succeeded before the step was reset. */
  private void beginParts(Step step, RunStep known) {
    int count;
    try {
      count = new StepJobs(run).items(step).size();
    } catch (InvalidValueException problem) {
      set(known, StepState.FAILED, known.parts(), String.valueOf(problem.getMessage()));
      return;
    }
    List<RunPart> parts = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      RunPart old = number < known.parts().size() ? known.parts().get(number) : null;
      if (old != null && old.state() == StepState.SUCCEEDED) {
        parts.add(old);
      } else {
        RunPart part = waiting(number, old == null ? 1 : old.tryNumber() + 1, 0, now);
        parts.add(part);
        change(step, part, now);
      }
    }
    set(known, StepState.RUNNING, parts, "");
  }

  private static RunPart waiting(int number, int tryNumber, int triesBefore, Instant notBefore) {
    return new RunPart(
        number, tryNumber, triesBefore, StepState.WAITING, null, null, null, notBefore);
  }

  private void goOn(Step step, RunStep known, boolean stopping, @Nullable RunState outcome) {
    boolean late = isLate(step, known);
    List<RunPart> parts = new ArrayList<>(known.parts());
    String reason = late ? "it took longer than its time limit of " + step.timeLimit() : "";
    if (stopping || late) {
      stopParts(step, parts);
    } else {
      retryParts(step, parts);
      reason = startParts(step, parts, outcome);
    }
    if (!parts.equals(known.parts())) {
      steps.put(step.name(), copy(known, known.state(), parts, known.reason()));
    }
    if (parts.stream().allMatch(part -> part.state().ended())) {
      StepState ended = ended(parts);
      set(run.step(step.name()), late ? StepState.FAILED : ended, parts, reason);
    }
  }

  private boolean isLate(Step step, RunStep known) {
    Duration limit = step.timeLimit();
    Instant started = known.startedAt();
    return limit != null && started != null && !started.plus(limit).isAfter(now);
  }

  private static StepState ended(List<RunPart> parts) {
    boolean cancelled = parts.stream().anyMatch(part -> part.state() == StepState.CANCELLED);
    boolean failed = parts.stream().anyMatch(part -> part.state() == StepState.FAILED);
    return failed ? StepState.FAILED : cancelled ? StepState.CANCELLED : StepState.SUCCEEDED;
  }

  private void stopParts(Step step, List<RunPart> parts) {
    for (int i = 0; i < parts.size(); i++) {
      RunPart part = parts.get(i);
      if (part.state() == StepState.WAITING) {
        parts.set(i, put(step, part, StepState.CANCELLED, ""));
      } else if (part.state() == StepState.RUNNING && part.job() != null) {
        if (unwanted.add(part.job())) {
          changes.add(new RunChange.JobUnwanted(part.job()));
        }
      }
    }
  }

  private void retryParts(Step step, List<RunPart> parts) {
    for (int i = 0; i < parts.size(); i++) {
      RunPart part = parts.get(i);
      if (part.state() == StepState.FAILED && isTriedAgain(step.retry(), part)) {
        Instant notBefore = now.plus(backoff(step.retry(), part.triesBefore()));
        RunPart next =
            waiting(part.number(), part.tryNumber() + 1, part.triesBefore() + 1, notBefore);
        parts.set(i, next);
        change(step, next, notBefore);
      }
    }
  }

  private static boolean isTriedAgain(StepRetry retry, RunPart part) {
    FailureCause cause = part.cause();
    return part.triesBefore() < retry.limit()
        && cause != null
        && (retry.causes().isEmpty() || retry.causes().contains(cause));
  }

  static Duration backoff(StepRetry retry, int triesBefore) {
    Duration wait = retry.backoff().multipliedBy(1L << Math.min(triesBefore, DOUBLINGS_MAX));
    return wait.compareTo(BACKOFF_MAX) > 0 ? BACKOFF_MAX : wait;
  }

  /**
   * Creates the jobs of parts.
   *
   * @return why a job could not be created; empty if all could
   */
  private String startParts(Step step, List<RunPart> parts, @Nullable RunState outcome) {
    String failure = "";
    FanOut fanOut = step.fanOut();
    long most = fanOut == null ? 1 : fanOut.maxParallel();
    long running = parts.stream().filter(part -> part.state() == StepState.RUNNING).count();
    StepJobs jobs = new StepJobs(run);
    List<@Nullable JsonNode> items = null;
    for (int i = 0; i < parts.size() && running < most; i++) {
      RunPart part = parts.get(i);
      Instant notBefore = part.notBefore();
      boolean due = notBefore == null || !notBefore.isAfter(now);
      if (part.state() != StepState.WAITING || !due) {
        continue;
      }
      try {
        items = items == null ? jobs.items(step) : items;
        JsonNode item = part.number() < items.size() ? items.get(part.number()) : null;
        JsonNode manifest = jobs.manifest(step, part.number(), part.tryNumber(), item, outcome);
        parts.set(i, put(step, part, StepState.RUNNING, ""));
        changes.add(new RunChange.JobWanted(key(step, part), manifest));
        running++;
      } catch (InvalidValueException problem) {
        String message = String.valueOf(problem.getMessage());
        parts.set(i, put(step, part, StepState.FAILED, message));
        failure = message;
      }
    }
    return failure;
  }

  private RunPart put(Step step, RunPart part, StepState state, String message) {
    RunPart changed =
        new RunPart(
            part.number(),
            part.tryNumber(),
            part.triesBefore(),
            state,
            part.job(),
            part.output(),
            part.cause(),
            part.notBefore());
    Instant notBefore = part.notBefore();
    change(step, changed, notBefore == null ? now : notBefore, message);
    return changed;
  }

  private void change(Step step, RunPart part, Instant notBefore) {
    change(step, part, notBefore, "");
  }

  private void change(Step step, RunPart part, Instant notBefore, String message) {
    changes.add(
        new RunChange.PartSet(
            key(step, part), part.triesBefore(), part.state(), notBefore, message));
  }

  private static RunChange.PartKey key(Step step, RunPart part) {
    return new RunChange.PartKey(step.name(), part.number(), part.tryNumber());
  }

  private void set(RunStep known, StepState state, List<RunPart> parts, String reason) {
    steps.put(known.name(), copy(known, state, parts, reason));
    changes.add(new RunChange.StepSet(known.name(), state, reason));
  }

  private RunStep copy(RunStep known, StepState state, List<RunPart> parts, String reason) {
    Instant started =
        known.startedAt() == null && state == StepState.RUNNING ? now : known.startedAt();
    return new RunStep(known.name(), state, parts, started, reason);
  }

  private RunState outcome() {
    RunState ending = run.ending();
    if (ending != null) {
      return ending;
    }
    return failedStep() == null ? RunState.SUCCEEDED : RunState.FAILED;
  }

  /** The first failed or cancelled step whose failure no successful step handled; null: none. */
  private @Nullable String failedStep() {
    TreeMap<String, Boolean> madeGood = new TreeMap<>();
    for (Step step : run.pipeline().steps()) {
      if (run.step(step.name()).state() == StepState.SUCCEEDED) {
        for (Step.Dependency dependency : step.dependsOn()) {
          if (dependency.when() == Condition.FAILED) {
            madeGood.put(dependency.step(), true);
          }
        }
      }
    }
    for (Step step : run.pipeline().steps()) {
      StepState state = run.step(step.name()).state();
      boolean failed = state == StepState.FAILED || state == StepState.CANCELLED;
      if (failed && !madeGood.containsKey(step.name())) {
        return step.name();
      }
    }
    return null;
  }

  private String reason(RunState outcome) {
    String failed = failedStep();
    if (run.ending() != null || outcome == RunState.SUCCEEDED || failed == null) {
      return "";
    }
    RunStep step = run.step(failed);
    return "step "
        + failed
        + " "
        + word(step.state())
        + (step.reason().isEmpty() ? "" : ": " + step.reason());
  }

  private static String word(StepState state) {
    return switch (state) {
      case SUCCEEDED -> "succeeded";
      case FAILED -> "failed";
      case CANCELLED -> "was cancelled";
      case SKIPPED -> "was passed over";
      case WAITING, RUNNING -> "has not ended";
    };
  }
}
