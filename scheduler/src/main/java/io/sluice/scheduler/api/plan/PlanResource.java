// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.plan;

import io.sluice.queuemodel.job.JobId;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.plan.PlanEntry;
import io.sluice.scheduler.api.FromView;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.estimate.ExpectedStart;
import io.sluice.scheduler.estimate.ExpectedStarts;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.TimeRange;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** The plan over REST: who uses quota and slices from when until when. */
@Tag(name = "Plan")
@Path("/v1/plan")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Right.READS)
class PlanResource {
  private static final String SEQUENCE = "Sluice-Sequence";

  private final CommittedView view;
  private final ExpectedStarts expected;
  private final CurrentCaller caller;

  PlanResource(CommittedView view, ExpectedStarts expected, CurrentCaller caller) {
    this.caller = caller;
    this.view = view;
    this.expected = expected;
  }

  /** Attempts that have not ended, planned starts and expected starts, by their starts. */
  @Operation(
      operationId = "listPlan",
      summary = "Lists running attempts, planned and expected starts by start")
  @GET
  @FromView
  public RestResponse<Page<PlanEntry>> list(
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("queue") @Nullable String queue,
      @QueryParam("clusterQueue") @Nullable String clusterQueue,
      @QueryParam("until") @Nullable String until,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    if (namespace != null) {
      caller.require(Right.READ, namespace);
    }
    TimeRange range = Parameters.times(null, until);
    PlanListing.Filter filter =
        new PlanListing.Filter(caller.readable(), namespace, queue, clusterQueue, range.until());
    Pages.PlanPlace after = Pages.readPlan(cursor);
    Map<JobId, ExpectedStart> starts = expected.all();
    CommittedView.Answer<Page<PlanEntry>> answer =
        view.ask(state -> new PlanListing(state, starts).page(filter, after, limit));
    return RestResponse.ResponseBuilder.ok(answer.value())
        .header(SEQUENCE, answer.sequence())
        .build();
  }
}
