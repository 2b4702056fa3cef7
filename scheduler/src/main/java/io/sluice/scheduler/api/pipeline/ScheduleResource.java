// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.fleet.CapacityResource;
import io.sluice.scheduler.pipeline.schedule.Schedules;
import io.sluice.scheduler.pipeline.schedule.StoredBackfill;
import io.sluice.scheduler.pipeline.schedule.StoredSchedule;
import io.sluice.scheduler.pipeline.schedule.UpcomingRuns;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Role;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
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
import org.jspecify.annotations.Nullable;

/** Schedules of pipelines: list, look ahead, pause, resume, and begin a backfill. */
@Path("/v1/schedules")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.VIEWERS)
@Blocking
class ScheduleResource {
  private static final int UPCOMING_MAX = 1000;
  private static final int UPCOMING = 5;
  private static final Duration DAY = Duration.ofDays(1);
  private static final String ONE = "/{namespace}/{pipeline}/{name}";

  private final Schedules schedules;
  private final UpcomingRuns upcomingRuns;
  private final CurrentCaller caller;

  ScheduleResource(Schedules schedules, UpcomingRuns upcomingRuns, CurrentCaller caller) {
    this.schedules = schedules;
    this.upcomingRuns = upcomingRuns;
    this.caller = caller;
  }

  /** Schedules by namespace, pipeline and name. */
  @GET
  public Response list(
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("pipeline") @Nullable String pipeline,
      @QueryParam("limit") @Nullable String limit,
      @QueryParam("cursor") @Nullable String cursor) {
    int most = Pages.limit(limit);
    List<StoredSchedule> found =
        schedules.list(
            Parameters.text("namespace", namespace),
            Parameters.text("pipeline", pipeline),
            Pages.readPlaced(cursor),
            most + 1);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode items = json.putArray("items");
    found.stream().limit(most).forEach(stored -> items.add(ScheduleJson.schedule(stored, 0)));
    if (found.size() > most) {
      StoredSchedule last = found.get(most - 1);
      json.put(
          "nextCursor",
          Pages.writePlaced(List.of(last.namespace(), last.pipeline(), last.schedule().name())));
    }
    return Response.ok(json).build();
  }

  /**
   * Runs that schedules will begin, by when they are due, with the jobs that they will ask for.
   *
   * @param within how far ahead; a day without it, seven at most
   */
  @GET
  @Path("/upcoming")
  public Response upcoming(
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("pipeline") @Nullable String pipeline,
      @QueryParam("within") @Nullable String within,
      @QueryParam("limit") @Nullable String limit) {
    Duration wanted = within == null ? DAY : CapacityResource.duration("within", within);
    if (wanted.isNegative() || wanted.compareTo(UpcomingRuns.WITHIN_MAX) > 0) {
      throw ProblemException.badRequest(
          "within must be at most %s, it is %s"
              .formatted(UpcomingRuns.WITHIN_MAX, Parameters.shown(String.valueOf(within))));
    }
    UpcomingRuns.Answer answer =
        upcomingRuns.list(
            Parameters.text("namespace", namespace),
            Parameters.text("pipeline", pipeline),
            wanted,
            Pages.limit(limit));
    return Response.ok(ScheduleJson.upcoming(answer)).build();
  }

  /** A schedule with its next logical times. */
  @GET
  @Path(ONE)
  public Response get(
      @PathParam("namespace") String namespace,
      @PathParam("pipeline") String pipeline,
      @PathParam("name") String name,
      @QueryParam("upcoming") @Nullable String upcoming) {
    Integer wanted = Parameters.whole("upcoming", upcoming, 0, UPCOMING_MAX);
    StoredSchedule found =
        schedules.find(
            Parameters.name("namespace", namespace),
            Parameters.name("pipeline", pipeline),
            Parameters.name("name", name));
    return Response.ok(ScheduleJson.schedule(found, wanted == null ? UPCOMING : wanted)).build();
  }

  /** Has it fire no more until it is resumed. */
  @POST
  @RolesAllowed(Role.SUBMITTERS)
  @Path(ONE + "/pause")
  public Response pause(
      @PathParam("namespace") String namespace,
      @PathParam("pipeline") String pipeline,
      @PathParam("name") String name) {
    return set(namespace, pipeline, name, schedules::pause);
  }

  /** Has it fire again, from now on. */
  @POST
  @RolesAllowed(Role.SUBMITTERS)
  @Path(ONE + "/resume")
  public Response resume(
      @PathParam("namespace") String namespace,
      @PathParam("pipeline") String pipeline,
      @PathParam("name") String name) {
    return set(namespace, pipeline, name, schedules::resume);
  }

  /** What is done with a schedule. */
  private interface Change {
    StoredSchedule make(String namespace, String pipeline, String name, Caller caller);
  }

  private Response set(String namespace, String pipeline, String name, Change change) {
    String checked = Parameters.name("namespace", namespace);
    Caller who = caller.submitterIn(List.of(checked));
    StoredSchedule changed =
        change.make(
            checked, Parameters.name("pipeline", pipeline), Parameters.name("name", name), who);
    return Response.ok(ScheduleJson.schedule(changed, UPCOMING)).build();
  }

  /**
   * Begins runs of past logical times.
   *
   * @param key asked again with the same one, it is the same backfill
   */
  @POST
  @RolesAllowed(Role.SUBMITTERS)
  @Path(ONE + "/backfills")
  @Consumes(MediaType.WILDCARD)
  public Response backfill(
      @PathParam("namespace") String namespace,
      @PathParam("pipeline") String pipeline,
      @PathParam("name") String name,
      byte[] body,
      @HeaderParam("Idempotency-Key") @Nullable String key) {
    String checked = Parameters.name("namespace", namespace);
    Caller who = caller.submitterIn(List.of(checked));
    StoredBackfill begun =
        schedules.backfill(
            checked,
            Parameters.name("pipeline", pipeline),
            Parameters.name("name", name),
            BackfillWish.read(body, Parameters.key(key)),
            who);
    return Response.status(Response.Status.CREATED)
        .header(HttpHeaders.LOCATION, "/v1/backfills/" + begun.id())
        .entity(ScheduleJson.backfill(begun))
        .build();
  }
}
