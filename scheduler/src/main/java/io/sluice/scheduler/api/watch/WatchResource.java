// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.watch;

import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.job.JobId;
import io.sluice.restmodel.event.EventPage;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.IdOf;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.job.JobLookup;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.job.StoredJob;
import io.sluice.scheduler.watch.EventHub;
import io.sluice.scheduler.watch.EventId;
import io.sluice.scheduler.watch.EventObject;
import io.sluice.scheduler.watch.WatchFilter;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The events of the journal over REST, for clients that watch. */
@Tag(name = "Events")
@Path("/v1/events")
@RolesAllowed(Right.READS)
class WatchResource {
  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  private final EventHub hub;
  private final EventAnswers answers;
  private final CurrentVertxRequest exchanges;
  private final Pipelines pipelines;
  private final JobLookup jobs;
  private final CurrentCaller caller;

  WatchResource(
      EventHub hub,
      EventAnswers answers,
      CurrentVertxRequest exchanges,
      Pipelines pipelines,
      CurrentCaller caller,
      JobLookup jobs) {
    this.caller = caller;
    this.hub = hub;
    this.answers = answers;
    this.exchanges = exchanges;
    this.pipelines = pipelines;
    this.jobs = jobs;
  }

  /**
   * The next events, the oldest first.
   *
   * @param after the id from which on; default: from now on
   * @param wait how long to wait for the first event if there is none
   */
  @Operation(
      operationId = "watchEvents",
      summary = "Watches changes, as pages or as server-sent events")
  @Parameter(
      name = "Last-Event-ID",
      in = ParameterIn.HEADER,
      schema = @Schema(type = SchemaType.STRING))
  @APIResponse(
      responseCode = "200",
      description = "The events after the one that was named",
      content = {
        @Content(
            mediaType = MediaType.APPLICATION_JSON,
            schema = @Schema(implementation = EventPage.class)),
        @Content(
            mediaType = MediaType.SERVER_SENT_EVENTS,
            schema = @Schema(type = SchemaType.STRING))
      })
  @APIResponse(responseCode = "404", ref = "Problem404")
  @APIResponse(responseCode = "410", ref = "Problem410")
  @GET
  @Blocking
  @Produces(MediaType.APPLICATION_JSON)
  public CompletionStage<EventPage> page(
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("kind") List<String> kinds,
      @QueryParam("job") @Nullable JobId job,
      @QueryParam("run") @IdOf("run") @Nullable UUID run,
      @QueryParam("queue") @Nullable String queue,
      @QueryParam("clusterQueue") @Nullable String clusterQueue,
      @QueryParam("after") @Nullable String after,
      @QueryParam("wait") @DefaultValue("0s") Duration wait,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX)
          int limit) {
    if (wait.isNegative() || wait.compareTo(WAIT_MAX) > 0) {
      throw ProblemException.badRequest("wait must be between 0s and 60s, it is " + wait);
    }
    WatchFilter filter = filter(job, run, queue, clusterQueue, namespace, kinds);
    EventWait page = new EventWait(hub, limit);
    CompletionStage<EventPage> answer = page.begin(filter, id("after", after), wait);
    exchanges.getCurrent().addEndHandler(ended -> page.end());
    return answer;
  }

  /**
   * The events from an id on, as server-sent events, until the client disconnects.
   *
   * @param after the id from which on; default: from now on
   * @param skip whether one frame may tell of many events, for clients that read anew what changed
   * @param lastEventId the same as {@code after}, for clients that connect again; it precedes it
   */
  @Operation(hidden = true)
  @GET
  @Blocking
  @Produces(MediaType.SERVER_SENT_EVENTS)
  public Response stream(
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("kind") List<String> kinds,
      @QueryParam("job") @Nullable JobId job,
      @QueryParam("run") @IdOf("run") @Nullable UUID run,
      @QueryParam("queue") @Nullable String queue,
      @QueryParam("clusterQueue") @Nullable String clusterQueue,
      @QueryParam("after") @Nullable String after,
      @QueryParam("skip") @DefaultValue("false") boolean skip,
      @HeaderParam("Last-Event-ID") @Nullable String lastEventId) {
    WatchFilter filter = filter(job, run, queue, clusterQueue, namespace, kinds);
    EventId from = id("after", after);
    if (lastEventId != null && !lastEventId.isEmpty()) {
      from = id("Last-Event-ID", lastEventId);
    }
    RoutingContext exchange = exchanges.getCurrent();
    EventStream stream = new EventStream(hub, answers, exchange, skip, caller.stillReads());
    stream.open(filter, from);
    return Response.ok(stream, MediaType.SERVER_SENT_EVENTS_TYPE)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .build();
  }

  /** The conditions of a request; those that the caller may not watch are refused. */
  private WatchFilter filter(
      @Nullable JobId job,
      @Nullable UUID run,
      @Nullable String queue,
      @Nullable String clusterQueue,
      @Nullable String namespace,
      List<String> kinds) {
    NamespaceScope readable = caller.readable(namespace);
    WatchFilter filter =
        new WatchFilter(job, run, queue, clusterQueue, namespace, known(kinds), readable);
    if (job != null) {
      StoredJob unused = jobs.get(job, readable);
    }
    if (run != null) {
      pipelines.find(run, readable);
    }
    return filter;
  }

  private static Set<String> known(List<String> kinds) {
    Set<String> known = EventObject.kinds();
    for (String kind : kinds) {
      if (!known.contains(kind)) {
        throw ProblemException.badRequest(
            "kind must be one of %s, it is %s"
                .formatted(String.join(", ", known), Parameters.shown(kind)));
      }
    }
    return new TreeSet<>(kinds);
  }

  private static @Nullable EventId id(String parameter, @Nullable String text) {
    try {
      return text == null ? null : EventId.parse(text);
    } catch (InvalidValueException malformed) {
      throw ProblemException.badRequest(
          "%s %s, it is %s".formatted(parameter, malformed.getMessage(), Parameters.shown(text)));
    }
  }
}
