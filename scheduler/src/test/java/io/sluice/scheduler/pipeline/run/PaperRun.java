// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A pipeline run in memory: applies each advance to its state; the test ends its jobs. */
final class PaperRun {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private final Applied applied = new Applied();
  private final TreeMap<String, JsonNode> manifests = new TreeMap<>();
  private final List<String> wanted = new ArrayList<>();
  private final List<UUID> unwanted = new ArrayList<>();
  private RunView run;
  private Instant now = BEGIN;
  private String outcome = "";

  private PaperRun(Pipeline pipeline) {
    TreeMap<String, RunStep> steps = new TreeMap<>();
    for (Step step : pipeline.allSteps()) {
      steps.put(step.name(), new RunStep(step.name(), StepState.WAITING, List.of(), null, ""));
    }
    run =
        new RunView(
            new UUID(0, 1),
            pipeline,
            new RunView.Identity("default", "nightly-1", BEGIN, "", BEGIN),
            new TreeMap<>(),
            steps,
            null);
  }

  static PaperRun of(String steps) {
    return of(steps, null);
  }

  static PaperRun of(String steps, @Nullable String exitHandler) {
    String manifest =
        "apiVersion: sluice.io/v1\nkind: Pipeline\nmetadata: {name: nightly}\nspec:\n  steps:\n"
            + steps.indent(2)
            + (exitHandler == null ? "" : "  exitHandler: " + exitHandler + "\n");
    return new PaperRun(ManifestReader.readPipeline(manifest));
  }

  static PaperRun of(Pipeline pipeline) {
    return new PaperRun(pipeline);
  }

  /**
   * Applies the next advance, which must be idempotent; returns the wanted jobs as step/part/try.
   */
  List<String> advance() {
    wanted.clear();
    unwanted.clear();
    RunAdvance.of(run, now).forEach(change -> change.fold(applied));
    List<String> first = List.copyOf(wanted);
    if (outcome.isEmpty()) {
      List<RunChange> again =
          RunAdvance.of(run, now).stream()
              .filter(change -> !(change instanceof RunChange.JobUnwanted))
              .toList();
      if (!again.isEmpty()) {
        throw new AssertionError("asked again it gives more: " + again);
      }
    }
    return first;
  }

  String command(String job) {
    JsonNode manifest = manifests.get(job);
    return manifest == null ? "" : manifest.at("/spec/command").toString();
  }

  List<UUID> unwanted() {
    return List.copyOf(unwanted);
  }

  String outcome() {
    return outcome;
  }

  String reason(String step) {
    return run.step(step).reason();
  }

  String states() {
    return run.pipeline().steps().stream()
        .map(step -> step.name() + " " + run.step(step.name()).state())
        .collect(Collectors.joining(", "));
  }

  RunView view() {
    return run;
  }

  void sleepSeconds(long seconds) {
    now = now.plusSeconds(seconds);
  }

  void end(RunState ending) {
    run =
        new RunView(
            run.id(), run.pipeline(), run.identity(), run.parameters(), run.steps(), ending);
  }

  void succeed(String step, int part) {
    succeed(step, part, null);
  }

  void succeed(String step, int part, @Nullable String output) {
    replace(step, part, StepState.SUCCEEDED, output, null);
  }

  void fail(String step, int part, FailureCause cause) {
    replace(step, part, StepState.FAILED, null, cause);
  }

  void cancelled(String step, int part) {
    replace(step, part, StepState.CANCELLED, null, null);
  }

  /** Reopens a step, as the resume of a run does. */
  void reopen(String step) {
    RunStep known = run.step(step);
    put(new RunStep(step, StepState.WAITING, known.parts(), null, ""));
    outcome = "";
  }

  private void replace(
      String step,
      int part,
      StepState state,
      @Nullable String output,
      @Nullable FailureCause cause) {
    RunStep known = run.step(step);
    RunPart old = known.parts().get(part);
    if (old.state() != StepState.RUNNING) {
      throw new AssertionError(step + "/" + part + " does not run: " + old);
    }
    putPart(
        known,
        new RunPart(
            part, old.tryNumber(), old.triesBefore(), state, old.job(), output, cause, null));
  }

  private void putPart(RunStep step, RunPart part) {
    TreeMap<Integer, RunPart> parts = new TreeMap<>();
    step.parts().forEach(old -> parts.put(old.number(), old));
    parts.put(part.number(), part);
    put(
        new RunStep(
            step.name(),
            step.state(),
            List.copyOf(parts.values()),
            step.startedAt(),
            step.reason()));
  }

  private void put(RunStep step) {
    TreeMap<String, RunStep> steps = new TreeMap<>(run.steps());
    steps.put(step.name(), step);
    run =
        new RunView(
            run.id(), run.pipeline(), run.identity(), run.parameters(), steps, run.ending());
  }

  /** Applies changes as the repositories would. */
  private final class Applied implements RunChange.Fold<Boolean> {
    @Override
    public Boolean stepSet(RunChange.StepSet change) {
      RunStep known = run.step(change.step());
      Instant started =
          known.startedAt() == null && change.state() == StepState.RUNNING
              ? now
              : known.startedAt();
      put(new RunStep(known.name(), change.state(), known.parts(), started, change.reason()));
      return true;
    }

    @Override
    public Boolean partSet(RunChange.PartSet change) {
      RunStep step = run.step(change.part().step());
      putPart(
          step,
          new RunPart(
              change.part().part(),
              change.part().tryNumber(),
              change.triesBefore(),
              change.state(),
              null,
              null,
              null,
              change.notBefore()));
      return true;
    }

    @Override
    public Boolean jobWanted(RunChange.JobWanted change) {
      RunChange.PartKey key = change.part();
      String name = key.step() + "/" + key.part() + "/" + key.tryNumber();
      if (manifests.put(name, change.manifest()) != null) {
        throw new AssertionError("wanted twice: " + name);
      }
      wanted.add(name);
      RunStep step = run.step(key.step());
      RunPart old = step.parts().get(key.part());
      putPart(
          step,
          new RunPart(
              old.number(),
              old.tryNumber(),
              old.triesBefore(),
              old.state(),
              UUID.nameUUIDFromBytes(name.getBytes(java.nio.charset.StandardCharsets.UTF_8)),
              null,
              null,
              null));
      return true;
    }

    @Override
    public Boolean jobUnwanted(RunChange.JobUnwanted change) {
      unwanted.add(change.job());
      return true;
    }

    @Override
    public Boolean runEnded(RunChange.RunEnded change) {
      outcome = change.state() + " " + change.reason();
      return true;
    }
  }
}
