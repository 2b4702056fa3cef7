// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.pipeline.schedule.BackfillFilter;
import io.sluice.scheduler.pipeline.schedule.Schedules;
import io.sluice.scheduler.pipeline.schedule.StoredBackfill;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Role;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Backfills of schedules: list, get, cancel. */
@Path("/v1/backfills")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.VIEWERS)
@Blocking
class BackfillResource {
  private final Schedules schedules;
  private final CurrentCaller caller;

  BackfillResource(Schedules schedules, CurrentCaller caller) {
    this.schedules = schedules;
    this.caller = caller;
  }

  /** Backfills, the newest first. */
  @GET
  public Response list(
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("pipeline") @Nullable String pipeline,
      @QueryParam("limit") @Nullable String limit,
      @QueryParam("cursor") @Nullable String cursor) {
    int most = Pages.limit(limit);
    List<StoredBackfill> found =
        schedules.backfills(
            new BackfillFilter(
                Parameters.text("namespace", namespace),
                Parameters.text("pipeline", pipeline),
                cursor == null ? null : Parameters.id("backfill", cursor)),
            most + 1);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode items = json.putArray("items");
    found.stream().limit(most).forEach(backfill -> items.add(ScheduleJson.backfill(backfill)));
    if (found.size() > most) {
      json.put("nextCursor", found.get(most - 1).id().toString());
    }
    return Response.ok(json).build();
  }

  @GET
  @Path("/{id}")
  public Response get(@PathParam("id") String id) {
    return Response.ok(ScheduleJson.backfill(schedules.backfill(Parameters.id("backfill", id))))
        .build();
  }

  /** Begins no more runs of it, and cancels those that go on. */
  @POST
  @RolesAllowed(Role.SUBMITTERS)
  @Path("/{id}/cancel")
  public Response cancel(@PathParam("id") String id) {
    Caller who =
        caller.submitterIn(
            List.of(schedules.backfill(Parameters.id("backfill", id)).of().namespace()));
    return Response.ok(ScheduleJson.backfill(schedules.cancel(Parameters.id("backfill", id), who)))
        .build();
  }
}
