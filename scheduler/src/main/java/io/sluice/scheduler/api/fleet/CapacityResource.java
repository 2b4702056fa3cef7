// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.fleet.Supply;
import io.sluice.restmodel.fleet.CapacitySupply;
import io.sluice.scheduler.api.EntityTags;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.submission.RefusedException;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.function.Predicate;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The supply of capacity types by the virtual provider, over REST. */
@Tag(name = "Fleet")
@Path("/v1/fleet/capacity/{type}")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Right.READS)
class CapacityResource {
  private static final String NEVER = "never";

  private final VirtualCapacity capacity;
  private final CurrentCaller caller;
  private final ObjectMapper mapper;

  CapacityResource(VirtualCapacity capacity, CurrentCaller caller, ObjectMapper mapper) {
    this.capacity = capacity;
    this.caller = caller;
    this.mapper = mapper;
  }

  @Operation(
      operationId = "getCapacity",
      summary = "Reads how slices of a capacity type become available")
  @APIResponseSchema(value = CapacitySupply.class, responseCode = "200")
  @GET
  public Response get(@PathParam("type") String type) {
    return answer(capacity.supply(typeOf(type)));
  }

  private static Response answer(Supply supply) {
    return Response.ok(view(supply)).tag(tag(supply)).build();
  }

  /** The text of the entity tag of a supply: its content. */
  private static String tag(Supply supply) {
    Duration after = supply.grantAfter();
    return "%s-%s-%s"
        .formatted(
            supply.provisioned(),
            after == null ? NEVER : DurationNotation.format(after),
            supply.outOfStock());
  }

  /**
   * Changes the given settings and keeps the others; they survive a restart of the server. With
   * If-Match, only if no other caller has changed them.
   */
  @Operation(
      operationId = "setCapacity",
      summary = "Changes how slices of a capacity type become available")
  @APIResponseSchema(value = CapacitySupply.class, responseCode = "200")
  @PUT
  @RolesAllowed(Right.ADMINISTERS)
  public Response put(
      @PathParam("type") String type,
      @QueryParam("outOfStock") @Nullable Boolean outOfStock,
      @QueryParam("grantAfter") @Nullable String grantAfter,
      @Context HttpHeaders headers) {
    CapacityType capacityType = typeOf(type);
    Predicate<String> precondition = EntityTags.ifMatchText(headers);
    Supply before = capacity.supply(capacityType);
    Duration after = before.grantAfter();
    if (grantAfter != null) {
      after = grantAfter.equals(NEVER) ? null : Parameters.duration("grantAfter", grantAfter);
    }
    boolean none = outOfStock == null ? before.outOfStock() : outOfStock;
    Supply changed = new Supply(capacityType, before.provisioned(), after, none);
    AuditEntry blame =
        new AuditEntry(
            caller.get(),
            AuditEntry.Action.UPDATE,
            "CapacityType",
            "",
            type,
            null,
            mapper.valueToTree(view(changed)));
    if (!capacity.say(changed, present -> precondition.test(tag(present)), blame)) {
      throw RefusedException.stale(
          "the supply of capacity type " + type + " is not the one that was asked for", null);
    }
    return answer(capacity.supply(capacityType));
  }

  private static CapacityType typeOf(String word) {
    for (CapacityType type : CapacityType.values()) {
      if (type.word().equals(word)) {
        return type;
      }
    }
    throw ProblemException.notFound("there is no capacity type " + word);
  }

  private static CapacitySupply view(Supply supply) {
    Duration after = supply.grantAfter();
    return new CapacitySupply(
        supply.capacityType().word(),
        supply.provisioned(),
        after == null ? NEVER : DurationNotation.format(after),
        supply.outOfStock());
  }
}
