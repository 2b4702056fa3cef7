// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import io.agroal.api.AgroalDataSource;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.job.JobId;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.fleet.SliceHistoryEntry;
import io.sluice.restmodel.fleet.SliceView;
import io.sluice.scheduler.api.FromView;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.explanation.EventSentence;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetStandings;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Right;
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
import java.util.Objects;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Slices over REST, one by one and page by page, with their history. */
@Tag(name = "Fleet")
@Path("/v1/slices")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Right.READS)
class SlicesResource {
  private static final String SEQUENCE = "Sluice-Sequence";
  private static final String OTHERS = "a job of a namespace that the caller may not read";

  private final CommittedView view;
  private final VirtualCapacity capacity;
  private final SliceHistory history;
  private final SliceListing slices;
  private final CurrentCaller caller;

  SlicesResource(
      CommittedView view,
      VirtualCapacity capacity,
      FleetStandings standings,
      CurrentCaller caller,
      AgroalDataSource database) {
    this.caller = caller;
    this.view = view;
    this.capacity = capacity;
    this.history = new SliceHistory(database);
    this.slices = new SliceListing(standings, history);
  }

  /** The slices of the fleet, by name. */
  @Operation(operationId = "listSlices", summary = "Lists slices by name with their holders")
  @GET
  @FromView
  public RestResponse<Page<SliceView>> list(
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    Set<String> failed = capacity.failedHosts();
    NamespaceScope readable = caller.readable();
    CommittedView.Answer<Page<SliceView>> answer =
        view.ask(state -> slices.page(state, failed, limit, cursor, readable));
    Page<SliceView> page = answer.value();
    return RestResponse.ResponseBuilder.ok(
            new Page<>(slices.withSince(page.items(), readable), page.nextCursor()))
        .header(SEQUENCE, answer.sequence())
        .build();
  }

  /** One slice. */
  @Operation(operationId = "getSlice", summary = "Reads a slice")
  @APIResponseSchema(value = SliceView.class, responseCode = "200")
  @GET
  @FromView
  @Path("/{slice}")
  public Response get(@PathParam("slice") String name) {
    Set<String> failed = capacity.failedHosts();
    NamespaceScope readable = caller.readable();
    CommittedView.Answer<@Nullable SliceView> answer =
        view.<@Nullable SliceView>ask(
            state -> {
              Slice slice = state.slices().find(name);
              return slice == null ? null : slices.of(slice, state, failed, readable);
            });
    SliceView found = answer.value();
    if (found == null) {
      throw unknown(name);
    }
    return Response.ok(slices.withSince(List.of(found), readable).get(0))
        .header(SEQUENCE, answer.sequence())
        .build();
  }

  /**
   * The history of the slice, the newest entry first; also of a slice that is no longer in the
   * fleet.
   */
  @Operation(
      operationId = "listSliceHistory",
      summary = "Lists the holders of a slice, newest first")
  @GET
  @Path("/{slice}/history")
  public Page<SliceHistoryEntry> history(
      @PathParam("slice") String name,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    long[] before = Pages.readEventsBefore(cursor);
    NamespaceScope readable = caller.readable();
    if (!Parameters.storable(name)) {
      throw unknown(name);
    }
    List<SliceHistory.Entry> found = history.read(name, before[0], (int) before[1], limit + 1);
    if (found.isEmpty() && cursor == null && !inFleet(name)) {
      throw unknown(name);
    }
    return Pages.of(
        found,
        limit,
        entry -> entry(entry, readable),
        last -> Pages.writeEvents(last.sequence(), last.position()));
  }

  private boolean inFleet(String name) {
    return view.<Boolean>ask(state -> state.slices().find(name) != null).value();
  }

  /** An entry as a caller may see it who reads some namespaces. */
  private static SliceHistoryEntry entry(SliceHistory.Entry entry, NamespaceScope readable) {
    SliceHistory.Holding holding = entry.holding();
    String namespace = entry.namespace();
    boolean known = readable.isAll() || (namespace != null && readable.contains(namespace));
    if (holding != null) {
      return holding(entry, holding, known);
    }
    Event event = Objects.requireNonNull(entry.event(), "neither a holding nor an event");
    return event(entry, event, known || event.job() == null);
  }

  private static SliceHistoryEntry event(SliceHistory.Entry entry, Event event, boolean known) {
    JobId job = event.job();
    String kind = event.getClass().getSimpleName();
    return new SliceHistoryEntry(
        entry.sequence(),
        entry.at(),
        kind,
        known ? EventSentence.of(event) : kind + " for " + OTHERS,
        known && job != null ? job.toString() : null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static SliceHistoryEntry holding(
      SliceHistory.Entry entry, SliceHistory.Holding holding, boolean known) {
    return new SliceHistoryEntry(
        entry.sequence(),
        entry.at(),
        "Held",
        known ? sentence(holding) : "held by " + OTHERS,
        known ? holding.attempt().job().toString() : null,
        known ? holding.namespace() : null,
        known ? holding.jobName() : null,
        known ? holding.attempt().index() : null,
        known ? holding.attempt().attempt() : null,
        holding.fromGeneration(),
        holding.toGeneration(),
        holding.toSequence(),
        holding.to(),
        holding.outcome());
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
