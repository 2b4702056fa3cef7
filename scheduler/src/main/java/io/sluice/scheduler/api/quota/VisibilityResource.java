// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.restmodel.quota.PendingWorkloadsSummary;
import io.sluice.restmodel.quota.PendingWorkloadsSummary.PendingWorkload;
import io.sluice.scheduler.api.FromView;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
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
import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Pending jobs of a queue with their places, in the format of Kueue's visibility API. */
@Tag(name = "Kueue")
@Path("/apis/visibility.kueue.x-k8s.io/{version: v1beta1|v1beta2}")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
@Blocking
@FromView
class VisibilityResource {
  private static final String GROUP = "visibility.kueue.x-k8s.io/";
  private static final String LIMIT_DEFAULT = "1000";
  private static final int LIMIT_MAX = 10_000;

  private final CommittedView view;
  private final CurrentCaller caller;

  VisibilityResource(CommittedView view, CurrentCaller caller) {
    this.caller = caller;
    this.view = view;
  }

  /** Pending jobs of a ClusterQueue, the head first. */
  @Operation(
      operationId = "listPendingOfClusterQueue",
      summary = "Lists the pending jobs of a ClusterQueue in Kueue's format")
  @APIResponseSchema(value = PendingWorkloadsSummary.class, responseCode = "200")
  @GET
  @Path("/clusterqueues/{name}/pendingworkloads")
  public Response ofClusterQueue(
      @PathParam("version") String version,
      @PathParam("name") String name,
      @QueryParam("offset") @DefaultValue("0") @Whole(min = 0) int offset,
      @QueryParam("limit") @DefaultValue(LIMIT_DEFAULT) @Whole(min = 1, max = LIMIT_MAX)
          int limit) {
    return answer(version, walk(offset, limit).read(state -> state.queue(name), null), name);
  }

  /** Pending jobs of a LocalQueue, the head first. */
  @Operation(
      operationId = "listPendingOfLocalQueue",
      summary = "Lists the pending jobs of a LocalQueue in Kueue's format")
  @APIResponseSchema(value = PendingWorkloadsSummary.class, responseCode = "200")
  @GET
  @Path("/namespaces/{namespace}/localqueues/{name}/pendingworkloads")
  public Response ofLocalQueue(
      @PathParam("version") String version,
      @PathParam("namespace") String namespace,
      @PathParam("name") String name,
      @QueryParam("offset") @DefaultValue("0") @Whole(min = 0) int offset,
      @QueryParam("limit") @DefaultValue(LIMIT_DEFAULT) @Whole(min = 1, max = LIMIT_MAX)
          int limit) {
    caller.require(Right.READ, namespace);
    QueueKey key = new QueueKey(namespace, name);
    return answer(
        version, walk(offset, limit).read(state -> behind(state, key), key), key.toString());
  }

  private QueueWalk walk(int offset, int limit) {
    return new QueueWalk(view::ask, caller.readable(), offset, limit);
  }

  private static @Nullable QueueState behind(AdmissionState state, QueueKey key) {
    LocalQueue queue = state.objects().localQueue(key);
    return queue == null ? null : state.queue(queue.clusterQueue());
  }

  private static Response answer(
      String version, CommittedView.@Nullable Answer<List<PendingWorkload>> items, String queue) {
    if (items == null) {
      throw ProblemException.notFound("there is no queue " + Parameters.shown(queue));
    }
    PendingWorkloadsSummary summary =
        new PendingWorkloadsSummary(
            "PendingWorkloadsSummary", GROUP + version, Map.of(), items.value());
    return Response.ok(summary).header("Sluice-Sequence", items.sequence()).build();
  }
}
