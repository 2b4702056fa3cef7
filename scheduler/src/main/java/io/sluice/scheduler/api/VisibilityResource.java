// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.JobEntry;
import io.sluice.admission.state.QueueState;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.Role;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Who waits in a queue, and at which place, in the shape of Kueue's visibility API. */
@Path("/apis/visibility.kueue.x-k8s.io/{version: v1beta1|v1beta2}")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.VIEWERS)
@Blocking
@FromView
public class VisibilityResource {
  private static final String GROUP = "visibility.kueue.x-k8s.io/";
  private static final int LIMIT_DEFAULT = 1_000;
  private static final int LIMIT_MAX = 10_000;

  private final CommittedView view;

  VisibilityResource(CommittedView view) {
    this.view = view;
  }

  /** Which part of a queue is shown. */
  private record Page(int offset, int limit) {
    static Page of(@Nullable String offset, @Nullable String limit) {
      Integer first = Parameters.whole("offset", offset, 0, Integer.MAX_VALUE);
      Integer most = Parameters.whole("limit", limit, 1, LIMIT_MAX);
      return new Page(first == null ? 0 : first, most == null ? LIMIT_DEFAULT : most);
    }
  }

  /** Those who wait in a ClusterQueue, the first first. */
  @GET
  @Path("/clusterqueues/{name}/pendingworkloads")
  public Response ofClusterQueue(
      @PathParam("version") String version,
      @PathParam("name") String name,
      @QueryParam("offset") @Nullable String offset,
      @QueryParam("limit") @Nullable String limit) {
    Page page = Page.of(offset, limit);
    return answer(version, view.ask(state -> list(state.queue(name), null, page)), name);
  }

  /** Those who wait in a LocalQueue, the first first. */
  @GET
  @Path("/namespaces/{namespace}/localqueues/{name}/pendingworkloads")
  public Response ofLocalQueue(
      @PathParam("version") String version,
      @PathParam("namespace") String namespace,
      @PathParam("name") String name,
      @QueryParam("offset") @Nullable String offset,
      @QueryParam("limit") @Nullable String limit) {
    Page page = Page.of(offset, limit);
    QueueKey key = new QueueKey(namespace, name);
    return answer(version, view.ask(state -> list(behind(state, key), key, page)), key.toString());
  }

  private static @Nullable QueueState behind(AdmissionState state, QueueKey key) {
    LocalQueue queue = state.objects().localQueue(key);
    return queue == null ? null : state.queue(queue.clusterQueue());
  }

  private static Response answer(
      String version, CommittedView.Answer<Optional<ArrayNode>> items, String queue) {
    ArrayNode found =
        items
            .value()
            .orElseThrow(
                () -> ProblemException.notFound("there is no queue " + Parameters.shown(queue)));
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("kind", "PendingWorkloadsSummary");
    json.put("apiVersion", GROUP + version);
    json.putObject("metadata");
    json.set("items", found);
    return Response.ok(json).header("Sluice-Sequence", items.sequence()).build();
  }

  /**
   * A part of those who wait.
   *
   * @param queue null: there is none, and no answer
   * @param only the LocalQueue whose jobs count; null: all
   */
  private static Optional<ArrayNode> list(
      @Nullable QueueState queue, @Nullable QueueKey only, Page page) {
    if (queue == null) {
      return Optional.empty();
    }
    ArrayNode items = JsonNodeFactory.instance.arrayNode();
    Map<QueueKey, Integer> counts = new TreeMap<>();
    Iterator<JobEntry> waiting = queue.waiting();
    int matching = 0;
    for (int place = 0; waiting.hasNext() && items.size() < page.limit(); place++) {
      Workload workload = waiting.next().workload();
      int inLocal = counts.merge(workload.queue(), 1, Integer::sum) - 1;
      if ((only == null || only.equals(workload.queue())) && matching++ >= page.offset()) {
        items.add(item(workload, place, inLocal));
      }
    }
    return Optional.of(items);
  }

  private static ObjectNode item(Workload workload, int place, int inLocal) {
    ObjectNode item = JsonNodeFactory.instance.objectNode();
    item.putObject("metadata")
        .put("name", workload.name())
        .put("namespace", workload.queue().namespace())
        .put("uid", workload.id().toString())
        .put("creationTimestamp", workload.createdAt().toString());
    return item.put("priority", workload.priority().value())
        .put("localQueueName", workload.queue().name())
        .put("positionInClusterQueue", place)
        .put("positionInLocalQueue", inLocal);
  }
}
