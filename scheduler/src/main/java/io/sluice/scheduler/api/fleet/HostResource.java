// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.restmodel.fleet.VirtualHost;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.AuditEntry;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Failures and returns of virtual hosts, over REST. Both are idempotent. */
@Tag(name = "Fleet")
@Path("/v1/fleet/hosts/{host}")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Right.READS)
class HostResource {
  private final VirtualCapacity capacity;
  private final CurrentCaller caller;

  HostResource(VirtualCapacity capacity, CurrentCaller caller) {
    this.capacity = capacity;
    this.caller = caller;
  }

  /** The slice of the host, and whether it has failed. */
  @Operation(
      operationId = "getHost",
      summary = "Reads the slice of a host, and whether the host has failed")
  @GET
  public VirtualHost get(@PathParam("host") String host) {
    VirtualCapacity.HostPlace place = capacity.place(host);
    if (!place.known()) {
      throw unknown(host);
    }
    return new VirtualHost(host, place.slice(), capacity.failedHosts().contains(host));
  }

  /** Fails the host at once, with everything that runs there. */
  @Operation(operationId = "failHost", summary = "Makes a host of a simulated fleet fail")
  @APIResponse(responseCode = "202", description = "The request is durable")
  @POST
  @Path("/fail")
  @RolesAllowed(Right.MAINTAINS)
  public Response fail(@PathParam("host") String host) {
    return answer(host, capacity.failHost(host, blame(AuditEntry.Action.FAIL, host)));
  }

  /** Returns the host. */
  @Operation(operationId = "returnHost", summary = "Returns a host of a simulated fleet")
  @APIResponse(responseCode = "202", description = "The request is durable")
  @POST
  @Path("/return")
  @RolesAllowed(Right.MAINTAINS)
  public Response giveBack(@PathParam("host") String host) {
    return answer(host, capacity.returnHost(host, blame(AuditEntry.Action.RETURN, host)));
  }

  private AuditEntry blame(AuditEntry.Action action, String host) {
    return new AuditEntry(
        caller.get(), action, "Host", "", host, null, JsonNodeFactory.instance.objectNode());
  }

  private static Response answer(String host, boolean known) {
    if (!known) {
      throw unknown(host);
    }
    return Response.accepted().build();
  }

  private static ProblemException unknown(String host) {
    return ProblemException.notFound("there is no host " + Parameters.shown(host));
  }
}
