// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agroal.api.AgroalDataSource;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.scheduler.api.FromView;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.explanation.EventSentence;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetStandings;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.store.journal.SliceHistory;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Slices over REST, one by one and page by page, with their history. */
@Path("/v1/slices")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Role.VIEWERS)
class SlicesResource {
  private static final String SEQUENCE = "Sluice-Sequence";

  private final CommittedView view;
  private final VirtualCapacity capacity;
  private final SliceHistory history;
  private final SliceListing slices;

  SlicesResource(
      CommittedView view,
      VirtualCapacity capacity,
      FleetStandings standings,
      AgroalDataSource database) {
    this.view = view;
    this.capacity = capacity;
    this.history = new SliceHistory(database);
    this.slices = new SliceListing(view, capacity, standings, history);
  }

  /** The slices of the fleet, by name. */
  @GET
  @FromView
  public Response list(
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    return slices.page(
        limit, cursor, (state, failed) -> JsonNodeFactory.instance.objectNode(), "items");
  }

  /** One slice. */
  @GET
  @FromView
  @Path("/{slice}")
  public Response get(@PathParam("slice") String name) {
    Set<String> failed = capacity.failedHosts();
    CommittedView.Answer<@Nullable ObjectNode> answer =
        view.<@Nullable ObjectNode>ask(
            state -> {
              Slice slice = state.slices().find(name);
              return slice == null ? null : slices.of(slice, state, failed);
            });
    ObjectNode json = answer.value();
    if (json == null) {
      throw unknown(name);
    }
    SliceListing.putSince(List.of(json), history);
    return Response.ok(json).header(SEQUENCE, answer.sequence()).build();
  }

  /**
   * The history of the slice, the newest entry first; also of a slice that is no longer in the
   * fleet.
   */
  @GET
  @Path("/{slice}/history")
  public Response history(
      @PathParam("slice") String name,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    long[] before = Pages.readEventsBefore(cursor);
    if (!Parameters.storable(name)) {
      throw unknown(name);
    }
    List<SliceHistory.Entry> found = history.read(name, before[0], (int) before[1], limit + 1);
    if (found.isEmpty() && cursor == null && !inFleet(name)) {
      throw unknown(name);
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode items = json.putArray("items");
    for (SliceHistory.Entry entry : found.subList(0, Math.min(limit, found.size()))) {
      items.add(entry(entry));
    }
    if (found.size() > limit) {
      SliceHistory.Entry last = found.get(limit - 1);
      json.put("nextCursor", Pages.writeEvents(last.sequence(), last.position()));
    }
    return Response.ok(json).build();
  }

  private boolean inFleet(String name) {
    return view.<Boolean>ask(state -> state.slices().find(name) != null).value();
  }

  private static ObjectNode entry(SliceHistory.Entry entry) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("sequence", entry.sequence());
    json.put("at", entry.at().toString());
    SliceHistory.Holding holding = entry.holding();
    Event event = entry.event();
    if (holding != null) {
      json.put("kind", "Held");
      json.put("text", sentence(holding));
      put(holding, json);
    } else if (event != null) {
      json.put("kind", event.getClass().getSimpleName());
      json.put("text", EventSentence.of(event));
      if (event.job() != null) {
        json.put("job", event.job().toString());
      }
    }
    return json;
  }

  private static void put(SliceHistory.Holding holding, ObjectNode json) {
    json.put("job", holding.attempt().job().toString());
    json.put("namespace", holding.namespace());
    json.put("name", holding.jobName());
    json.put("index", holding.attempt().index());
    json.put("attempt", holding.attempt().attempt());
    json.put("fromGeneration", holding.fromGeneration());
    if (holding.to() != null) {
      json.put("toGeneration", holding.toGeneration());
      json.put("toSequence", holding.toSequence());
      json.put("to", holding.to().toString());
    }
    if (holding.outcome() != null) {
      json.put("outcome", holding.outcome());
    }
  }

  private static String sentence(SliceHistory.Holding holding) {
    Integer last = holding.toGeneration();
    String generations =
        last == null
            ? ", from generation " + holding.fromGeneration() + " on"
            : last == holding.fromGeneration()
                ? ", generation " + last
                : ", generations " + holding.fromGeneration() + " to " + last;
    String index = holding.attempt().index() == 0 ? "" : "[" + holding.attempt().index() + "]";
    return "held by "
        + holding.namespace()
        + "/"
        + holding.jobName()
        + index
        + ", attempt "
        + holding.attempt().attempt()
        + generations;
  }

  private static ProblemException unknown(String slice) {
    return ProblemException.notFound("there is no slice " + Parameters.shown(slice));
  }
}
