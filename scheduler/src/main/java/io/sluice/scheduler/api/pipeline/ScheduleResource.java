// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import io.sluice.manifests.field.DurationNotation;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.pipeline.Backfill;
import io.sluice.restmodel.pipeline.BackfillRequest;
import io.sluice.restmodel.pipeline.PipelineSchedule;
import io.sluice.restmodel.pipeline.UpcomingRunList;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.ObjectName;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.pipeline.schedule.Schedules;
import io.sluice.scheduler.pipeline.schedule.StoredBackfill;
import io.sluice.scheduler.pipeline.schedule.StoredSchedule;
import io.sluice.scheduler.pipeline.schedule.UpcomingRuns;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Schedules of pipelines over REST: list, look ahead, pause, resume, and begin a backfill. */
@Tag(name = "Schedules")
@Path("/v1/schedules")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
@Blocking
class ScheduleResource {
  private static final int UPCOMING_MAX = 1000;
  private static final String UPCOMING = "5";
  private static final String ONE = "/{namespace}/{pipeline}/{name}";

  private final Schedules schedules;
  private final UpcomingRuns upcomingRuns;
  private final CurrentCaller caller;

  ScheduleResource(Schedules schedules, UpcomingRuns upcomingRuns, CurrentCaller caller) {
    this.schedules = schedules;
    this.upcomingRuns = upcomingRuns;
    this.caller = caller;
  }

  /** Schedules, ordered by namespace, pipeline and name. */
  @Operation(
      operationId = "listSchedules",
      summary = "Lists schedules of pipelines with their next fire")
  @GET
  public Page<PipelineSchedule> list(
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("pipeline") @Nullable String pipeline,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    List<StoredSchedule> found =
        schedules.list(caller.readable(namespace), pipeline, Pages.readPlaced(cursor), limit + 1);
    return Pages.of(
        found, limit, stored -> ScheduleAnswers.schedule(stored, 0), ScheduleResource::cursor);
  }

  private static String cursor(StoredSchedule last) {
    return Pages.writePlaced(List.of(last.namespace(), last.pipeline(), last.schedule().name()));
  }

  /**
   * Upcoming runs, ordered by due time, with the jobs that they will submit.
   *
   * @param within how far ahead; default one day, at most seven
   */
  @Operation(operationId = "listUpcomingRuns", summary = "Lists the runs that schedules will start")
  @GET
  @Path("/upcoming")
  public UpcomingRunList upcoming(
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("pipeline") @Nullable String pipeline,
      @QueryParam("within") @DefaultValue("24h") Duration within,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    if (within.isNegative() || within.compareTo(UpcomingRuns.WITHIN_MAX) > 0) {
      throw ProblemException.badRequest(
          "within must be at most %s, it is %s"
              .formatted(
                  DurationNotation.format(UpcomingRuns.WITHIN_MAX),
                  DurationNotation.format(within)));
    }
    return ScheduleAnswers.upcoming(
        upcomingRuns.list(
            caller.readable(namespace), pipeline, within, Pages.readUpcoming(cursor), limit));
  }

  /** A schedule with its next logical times. */
  @Operation(operationId = "getSchedule", summary = "Reads a schedule with its next times")
  @GET
  @Path(ONE)
  public PipelineSchedule get(
      @PathParam("namespace") @ObjectName String namespace,
      @PathParam("pipeline") @ObjectName String pipeline,
      @PathParam("name") @ObjectName String name,
      @QueryParam("upcoming") @DefaultValue(UPCOMING) @Whole(min = 0, max = UPCOMING_MAX)
          int upcoming) {
    caller.require(Right.READ, namespace);
    StoredSchedule found = schedules.find(namespace, pipeline, name);
    return ScheduleAnswers.schedule(found, upcoming);
  }

  /** Pauses the schedule: it does not fire until it is resumed. */
  @Operation(operationId = "pauseSchedule", summary = "Pauses a schedule")
  @POST
  @RolesAllowed(Right.OPERATES)
  @Path(ONE + "/pause")
  public PipelineSchedule pause(
      @PathParam("namespace") @ObjectName String namespace,
      @PathParam("pipeline") @ObjectName String pipeline,
      @PathParam("name") @ObjectName String name) {
    return set(namespace, pipeline, name, schedules::pause);
  }

  /** Resumes the schedule: it fires again, from now on. */
  @Operation(
      operationId = "resumeSchedule",
      summary = "Makes a paused schedule fire again from now on")
  @POST
  @RolesAllowed(Right.OPERATES)
  @Path(ONE + "/resume")
  public PipelineSchedule resume(
      @PathParam("namespace") @ObjectName String namespace,
      @PathParam("pipeline") @ObjectName String pipeline,
      @PathParam("name") @ObjectName String name) {
    return set(namespace, pipeline, name, schedules::resume);
  }

  /** An operation on a schedule. */
  private interface Change {
    StoredSchedule make(String namespace, String pipeline, String name, Caller caller);
  }

  private PipelineSchedule set(String namespace, String pipeline, String name, Change change) {
    Caller who = caller.require(Right.OPERATE, namespace);
    StoredSchedule changed = change.make(namespace, pipeline, name, who);
    return ScheduleAnswers.schedule(changed, Integer.parseInt(UPCOMING));
  }

  /**
   * Begins a backfill: runs for past logical times.
   *
   * @param key idempotency key: a repetition returns the same backfill
   */
  @Operation(operationId = "startBackfill", summary = "Starts runs for past times")
  @APIResponseSchema(value = Backfill.class, responseCode = "201")
  @RequestBody(
      required = true,
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = BackfillRequest.class)))
  @POST
  @RolesAllowed(Right.SUBMITS)
  @Path(ONE + "/backfills")
  @Consumes(MediaType.WILDCARD)
  public Response backfill(
      @PathParam("namespace") @ObjectName String namespace,
      @PathParam("pipeline") @ObjectName String pipeline,
      @PathParam("name") @ObjectName String name,
      byte[] body,
      @HeaderParam("Idempotency-Key") @Nullable String key) {
    Caller who = caller.require(Right.SUBMIT, namespace);
    BackfillRequest request = RunBodies.backfill(body);
    Integer parallel = request.maxParallel();
    Schedules.Wanted wanted =
        new Schedules.Wanted(
            request.from(), request.to(), parallel == null ? 1 : parallel, Parameters.key(key));
    StoredBackfill begun = schedules.backfill(namespace, pipeline, name, wanted, who);
    return Response.status(Response.Status.CREATED)
        .header(HttpHeaders.LOCATION, "/v1/backfills/" + begun.id())
        .entity(ScheduleAnswers.backfill(begun))
        .build();
  }
}
