// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.smallrye.common.annotation.Blocking;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Takes slices away and gives them back, as a provider would; both may be said twice. */
@Path("/v1/fleet/slices/{slice}")
@Blocking
public class SliceResource {
  private final VirtualCapacity capacity;

  SliceResource(VirtualCapacity capacity) {
    this.capacity = capacity;
  }

  /** Takes the slice away, after a notice if one is given. */
  @POST
  @Path("/reclaim")
  public Response reclaim(
      @PathParam("slice") String slice, @QueryParam("notice") @Nullable String notice) {
    Duration until = notice == null ? Duration.ZERO : CapacityResource.duration("notice", notice);
    return answer(slice, capacity.takeAway(slice, until));
  }

  /** Gives the slice back. */
  @POST
  @Path("/return")
  public Response giveBack(@PathParam("slice") String slice) {
    return answer(slice, capacity.giveBack(slice));
  }

  private static Response answer(String slice, boolean known) {
    if (!known) {
      throw ProblemException.notFound("there is no slice " + slice);
    }
    return Response.accepted().build();
  }
}
