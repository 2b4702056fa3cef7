// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.field.ReadingTerms;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.pipeline.Parameter;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.Step;
import io.sluice.scheduler.pipeline.run.RunRows;
import io.sluice.scheduler.pipeline.run.RunScope;
import io.sluice.scheduler.pipeline.run.RunStep;
import io.sluice.scheduler.pipeline.run.RunView;
import io.sluice.scheduler.pipeline.run.StepJobs;
import io.sluice.scheduler.pipeline.run.StepState;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.submission.JobCheck;
import io.sluice.scheduler.submission.LaterJobCheck;
import io.sluice.scheduler.submission.RefusedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Checks the jobs of a pipeline's steps when it is saved, as far as they are known before a run:
 * with the default parameters, and for a step that fans out the first part only. A job that reads
 * outputs, or a parameter without a default, is checked when it is submitted.
 */
public final class StepCheck {
  private final LaterJobCheck check;
  private final ReadingTerms terms;

  public StepCheck(JobCheck check, ReadingTerms terms) {
    this.check = new LaterJobCheck(check);
    this.terms = terms;
  }

  /**
   * Checks a pipeline against the objects that a transaction sees.
   *
   * @param document number of the pipeline in the request, from 1
   * @return warnings for people: objects that must exist before runs of it succeed
   * @throws RefusedException if a step can never run on this server
   */
  public List<String> check(Connection connection, int document, Pipeline pipeline) {
    StepJobs jobs = new StepJobs(firstRun(pipeline));
    List<Violation> never = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    List<Step> steps = pipeline.allSteps();
    for (int at = 0; at < steps.size(); at++) {
      Manifest.JobManifest job = job(jobs, steps.get(at));
      if (job != null) {
        LaterJobCheck.Finding found = finding(connection, document, job);
        for (Violation violation : found.never()) {
          never.add(inStep(steps.get(at), violation));
        }
        for (Violation violation : found.notYet()) {
          warnings.add(warning(steps.get(at), violation));
        }
      }
    }
    if (!never.isEmpty()) {
      throw new RefusedException(never);
    }
    return warnings;
  }

  private LaterJobCheck.Finding finding(
      Connection connection, int document, Manifest.JobManifest job) {
    try {
      return check.check(connection, document, job);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot check the steps of a pipeline", failure);
    }
  }

  /** The job of a step; null if it is unknown before a run. */
  private Manifest.@Nullable JobManifest job(StepJobs jobs, Step step) {
    try {
      List<@Nullable JsonNode> items = jobs.items(step);
      return items.isEmpty()
          ? null
          : ManifestReader.readJobManifest(jobs.manifest(step, 0, 1, items.get(0), null), terms);
    } catch (InvalidManifestException | InvalidValueException unknown) {
      return null;
    }
  }

  private static Violation inStep(Step step, Violation violation) {
    return new Violation(
        violation.document(),
        "spec.steps[%s].job.%s".formatted(step.name(), violation.path()),
        violation.value(),
        violation.message());
  }

  private static String warning(Step step, Violation violation) {
    return "step %s: job.%s%s: %s; its runs fail as long as it is so"
        .formatted(
            step.name(),
            violation.path(),
            violation.value().isEmpty() ? "" : " " + violation.value(),
            violation.message());
  }

  /** A run as if it began now, with the parameters that have a default. */
  private static RunView firstRun(Pipeline pipeline) {
    ObjectNode parameters = JsonNodeFactory.instance.objectNode();
    for (Parameter parameter : pipeline.parameters()) {
      if (parameter.fallback() != null) {
        parameters.set(parameter.name(), RunScope.json(parameter.fallback()));
      }
    }
    TreeMap<String, RunStep> steps = new TreeMap<>();
    for (Step step : pipeline.allSteps()) {
      steps.put(step.name(), new RunStep(step.name(), StepState.WAITING, List.of(), null, ""));
    }
    Instant now = Instant.now();
    return new RunView(
        new UUID(0, 0),
        pipeline,
        new RunView.Identity(
            pipeline.meta().namespace(), pipeline.meta().name() + "-0", now, "", now),
        new TreeMap<>(RunRows.values(JournalJson.write(parameters))),
        steps,
        null);
  }
}
