// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import io.sluice.restmodel.Page;
import io.sluice.restmodel.pipeline.Backfill;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters.IdOf;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.pipeline.schedule.BackfillFilter;
import io.sluice.scheduler.pipeline.schedule.Schedules;
import io.sluice.scheduler.pipeline.schedule.StoredBackfill;
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
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Backfills of schedules over REST: list, get, cancel. */
@Tag(name = "Backfills")
@Path("/v1/backfills")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
@Blocking
class BackfillResource {
  private final Schedules schedules;
  private final CurrentCaller caller;

  BackfillResource(Schedules schedules, CurrentCaller caller) {
    this.schedules = schedules;
    this.caller = caller;
  }

  /** Backfills, the newest first. */
  @Operation(operationId = "listBackfills", summary = "Lists backfills, newest first")
  @GET
  public Page<Backfill> list(
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("pipeline") @Nullable String pipeline,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @IdOf("backfill") @Nullable UUID cursor) {
    List<StoredBackfill> found =
        schedules.backfills(
            new BackfillFilter(caller.readable(namespace), pipeline, cursor), limit + 1);
    return Pages.of(found, limit, ScheduleAnswers::backfill, last -> last.id().toString());
  }

  @Operation(operationId = "getBackfill", summary = "Reads a backfill")
  @GET
  @Path("/{id}")
  public Backfill get(@PathParam("id") @IdOf("backfill") UUID id) {
    return ScheduleAnswers.backfill(readable(id));
  }

  /** Cancels the backfill: begins no more runs, and cancels those that are running. */
  @Operation(
      operationId = "cancelBackfill",
      summary = "Starts no more runs of a backfill, and cancels those in progress")
  @POST
  @RolesAllowed(Right.OPERATES)
  @Path("/{id}/cancel")
  public Backfill cancel(@PathParam("id") @IdOf("backfill") UUID id) {
    Caller who = caller.require(Right.OPERATE, readable(id).of().namespace());
    return ScheduleAnswers.backfill(schedules.cancel(id, who));
  }

  private StoredBackfill readable(UUID id) {
    return schedules.backfill(id, caller.readable());
  }
}
