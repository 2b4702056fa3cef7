// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agroal.api.AgroalDataSource;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Attempt;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.store.HistoryReader;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** The fleet: its slices, who holds which, and who held which before. */
@Path("/v1/fleet")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Role.VIEWERS)
public class FleetResource {
  private final CommittedView view;
  private final HistoryReader history;

  FleetResource(CommittedView view, AgroalDataSource database) {
    this.view = view;
    this.history = new HistoryReader(database);
  }

  /** All slices with their present holders. */
  @GET
  @FromView
  public Response fleet() {
    CommittedView.Answer<ObjectNode> answer = view.ask(FleetResource::json);
    return Response.ok(answer.value()).header("Sluice-Sequence", answer.sequence()).build();
  }

  private static ObjectNode json(AdmissionState state) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("executor", state.fleet().executor().word());
    json.put("hosts", state.fleet().hosts().size());
    ArrayNode slices = json.putArray("slices");
    for (Slice slice : state.slices().all()) {
      ObjectNode one = slices.addObject();
      one.put("name", slice.name());
      one.put("type", slice.acceleratorType());
      one.put("topology", slice.topology().toString());
      one.put("chips", slice.topology().chips());
      one.put("capacityType", slice.capacityType().word());
      one.put("condition", state.slices().standings().condition(slice.name()).name());
      if (slice.forming().block() != null) {
        one.put("block", slice.forming().block());
      }
      if (!slice.forming().parts().isEmpty()) {
        ArrayNode parts = one.putArray("parts");
        slice.forming().parts().forEach(part -> parts.add(part.toString()));
      }
      ArrayNode hosts = one.putArray("hosts");
      slice.hosts().forEach(hosts::add);
      for (String held : state.slices().heldOn(slice.name())) {
        AttemptKey holder = state.slices().holder(held);
        Attempt attempt = holder == null ? null : state.findAttempt(holder);
        if (attempt != null && held.equals(slice.name())) {
          put(one.putObject("heldBy"), attempt);
        } else if (attempt != null) {
          ObjectNode formed = one.withArray("formed").addObject().put("name", held);
          put(formed.putObject("heldBy"), attempt);
        }
      }
      IndexKey claimant = state.slices().claimant(slice.name());
      if (claimant != null) {
        one.put("claimedBy", claimant.job().toString());
      }
    }
    return json;
  }

  private static void put(ObjectNode held, Attempt attempt) {
    held.put("job", attempt.key().job().toString());
    held.put("index", attempt.key().index());
    held.put("attempt", attempt.key().attempt());
    held.put("name", attempt.job().workload().name());
    held.put("clusterQueue", attempt.job().queue().name());
    held.put("state", attempt.state().name());
    held.put("since", attempt.admittedAt().toString());
  }

  /** Who held which slice, the newest first. */
  @GET
  @Path("/allocations")
  public Response allocations(@QueryParam("limit") @Nullable String limit) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode items = json.putArray("items");
    for (HistoryReader.Allocation allocation : history.allocations(Pages.limit(limit))) {
      ObjectNode one = items.addObject();
      one.put("slice", allocation.slice());
      one.put("job", allocation.attempt().job().toString());
      one.put("index", allocation.attempt().index());
      one.put("attempt", allocation.attempt().attempt());
      one.put("name", allocation.jobName());
      one.put("from", allocation.from().toString());
      if (allocation.to() != null) {
        one.put("to", allocation.to().toString());
      }
    }
    return Response.ok(json).build();
  }
}
