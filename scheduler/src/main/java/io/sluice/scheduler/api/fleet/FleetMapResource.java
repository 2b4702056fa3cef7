// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import io.sluice.restmodel.fleet.FleetMap;
import io.sluice.scheduler.api.FromView;
import io.sluice.scheduler.api.sharing.Shared;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** All slices of the fleet in one answer over REST. */
@Tag(name = "Fleet")
@Path("/v1/fleet/map")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Right.READS)
class FleetMapResource {
  private final FleetMaps maps;
  private final CurrentCaller caller;

  FleetMapResource(CommittedView view, VirtualCapacity capacity, CurrentCaller caller) {
    this.maps = new FleetMaps(view, capacity);
    this.caller = caller;
  }

  /** All slices in short, or what has changed since an earlier answer. */
  @Operation(
      operationId = "getFleetMap",
      summary = "Lists all slices in short with their holders, or what has changed")
  @GET
  @FromView
  @Shared
  public RestResponse<FleetMap> map(@QueryParam("revision") @Nullable String revision) {
    FleetMaps.Present present = maps.present();
    return RestResponse.ResponseBuilder.ok(
            FleetMapAnswers.of(present.drawn(), maps.find(revision), caller.readable()))
        .header("Sluice-Sequence", present.sequence())
        .build();
  }
}
