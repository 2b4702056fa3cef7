// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import io.sluice.queuemodel.job.JobId;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.pipeline.Run;
import io.sluice.scheduler.api.FromView;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.IdOf;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.explanation.JobExplanations;
import io.sluice.scheduler.estimate.ExpectedStarts;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetStandings;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.pipeline.run.RunRepository;
import io.sluice.scheduler.pipeline.run.RunRows;
import io.sluice.scheduler.pipeline.run.RunState;
import io.sluice.scheduler.pipeline.run.StepState;
import io.sluice.scheduler.pipeline.run.StoredRun;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Runs of pipelines over REST: list, get, cancel, resume, and run a step again. */
@Tag(name = "Runs")
@Path("/v1/runs")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
@Blocking
class RunResource {
  private final Pipelines pipelines;
  private final CommittedView view;
  private final JobExplanations explanations;
  private final CurrentCaller caller;

  RunResource(
      Pipelines pipelines,
      CommittedView view,
      Executor executor,
      FleetStandings standings,
      ExpectedStarts expected,
      CurrentCaller caller) {
    this.explanations = new JobExplanations(view, executor, standings, expected, caller);
    this.pipelines = pipelines;
    this.view = view;
    this.caller = caller;
  }

  /** Runs, the newest first. */
  @Operation(operationId = "listRuns", summary = "Lists runs, newest first")
  @GET
  @FromView
  public RestResponse<Page<Run>> list(
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("pipeline") @Nullable String pipeline,
      @QueryParam("name") @Nullable String name,
      @QueryParam("state") @Nullable String state,
      @QueryParam("since") @Nullable String since,
      @QueryParam("until") @Nullable String until,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @IdOf("run") @Nullable UUID cursor) {
    // Read before the rows, so that a watcher from there on misses nothing.
    long sequence = view.sequence();
    List<StoredRun> found =
        pipelines.runs(
            new RunRepository.Filter(
                caller.readable(namespace),
                pipeline,
                name,
                state(state),
                Parameters.times(since, until),
                cursor),
            limit + 1);
    return answer(Pages.of(found, limit, RunAnswers::run, last -> last.id().toString()), sequence);
  }

  private static <T> RestResponse<T> answer(T body, long sequence) {
    return RestResponse.ResponseBuilder.ok(body).header("Sluice-Sequence", sequence).build();
  }

  private static @Nullable RunState state(@Nullable String text) {
    if (text == null) {
      return null;
    }
    for (RunState state : RunState.values()) {
      if (state.name().equals(text.toUpperCase(Locale.ROOT))) {
        return state;
      }
    }
    throw ProblemException.badRequest(
        "state must be one of " + List.of(RunState.values()) + ", it is " + Parameters.shown(text));
  }

  /** A run with its steps, and all tries of their parts. */
  @Operation(operationId = "getRun", summary = "Reads a run with its steps")
  @GET
  @FromView
  @Path("/{id}")
  public RestResponse<Run> get(@PathParam("id") @IdOf("run") UUID id) {
    long sequence = view.sequence();
    readable(id);
    Pipelines.Account account = pipelines.account(id);
    List<JobId> jobs = new ArrayList<>();
    for (RunRows.TryRow row : account.tries()) {
      UUID job = row.part().job();
      if (job != null && row.part().state() == StepState.RUNNING) {
        jobs.add(new JobId(job));
      }
    }
    return answer(new RunAnswers(account, explanations.pending(jobs)).account(), sequence);
  }

  /** Cancels what is running of it; then its exit handler runs. */
  @Operation(operationId = "cancelRun", summary = "Cancels a run; its exit handler still runs")
  @POST
  @RolesAllowed(Right.OPERATES)
  @Path("/{id}/cancel")
  public Run cancel(@PathParam("id") @IdOf("run") UUID id) {
    Caller who = caller.require(Right.OPERATE, readable(id).of().namespace());
    return RunAnswers.run(pipelines.cancel(id, who));
  }

  /** Resumes it at the steps that did not succeed. */
  @Operation(operationId = "resumeRun", summary = "Resumes a run that failed or was cancelled")
  @POST
  @RolesAllowed(Right.SUBMITS)
  @Path("/{id}/resume")
  public Run resume(@PathParam("id") @IdOf("run") UUID id) {
    Caller who = permitted(id);
    return RunAnswers.run(pipelines.resume(id, who));
  }

  /** Runs a step again, and all steps that depend on it. */
  @Operation(
      operationId = "rerunStep",
      summary = "Runs a step again, and all steps that depend on it")
  @POST
  @RolesAllowed(Right.SUBMITS)
  @Path("/{id}/steps/{step}/rerun")
  public Run rerun(@PathParam("id") @IdOf("run") UUID id, @PathParam("step") String step) {
    Caller who = permitted(id);
    return RunAnswers.run(pipelines.rerun(id, step, who));
  }

  private Caller permitted(UUID id) {
    return caller.require(Right.SUBMIT, readable(id).of().namespace());
  }

  private StoredRun readable(UUID id) {
    return pipelines.find(id, caller.readable());
  }
}
