// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.AuditEntry;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Reclaims and returns slices like a provider, over REST. Both are idempotent. */
@Tag(name = "Fleet")
@Path("/v1/fleet/slices/{slice}")
@Blocking
@RolesAllowed(Right.MAINTAINS)
class SliceResource {
  private final VirtualCapacity capacity;
  private final CurrentCaller caller;

  SliceResource(VirtualCapacity capacity, CurrentCaller caller) {
    this.capacity = capacity;
    this.caller = caller;
  }

  /** Reclaims the slice, after a notice if one is given. */
  @Operation(operationId = "reclaimSlice", summary = "Reclaims a slice of a simulated fleet")
  @APIResponse(responseCode = "202", description = "The request is durable")
  @POST
  @Path("/reclaim")
  public Response reclaim(
      @PathParam("slice") String slice, @QueryParam("notice") @DefaultValue("0s") Duration notice) {
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    detail.put("notice", DurationNotation.format(notice));
    AuditEntry blame = blame(AuditEntry.Action.RECLAIM, slice, detail);
    return answer(slice, capacity.takeAway(slice, notice, blame));
  }

  /** Returns the slice. */
  @Operation(operationId = "returnSlice", summary = "Returns a slice of a simulated fleet")
  @APIResponse(responseCode = "202", description = "The request is durable")
  @POST
  @Path("/return")
  public Response giveBack(@PathParam("slice") String slice) {
    AuditEntry blame =
        blame(AuditEntry.Action.RETURN, slice, JsonNodeFactory.instance.objectNode());
    return answer(slice, capacity.giveBack(slice, blame));
  }

  private AuditEntry blame(AuditEntry.Action action, String slice, ObjectNode detail) {
    return new AuditEntry(caller.get(), action, "Slice", "", slice, null, detail);
  }

  private static Response answer(String slice, boolean known) {
    if (!known) {
      throw ProblemException.notFound("there is no slice " + slice);
    }
    return Response.accepted().build();
  }
}
