// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.access;

import io.sluice.restmodel.access.CallerIdentity;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.security.SignIn;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Who the caller is. */
@Tag(name = "Sessions")
@Path("/v1/whoami")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
class WhoAmIResource {
  private final CurrentCaller caller;

  WhoAmIResource(CurrentCaller caller) {
    this.caller = caller;
  }

  /** Name, groups and roles of the caller, and how and until when it is signed in. */
  @Operation(
      operationId = "getIdentity",
      summary = "Reads the caller's own name, groups and roles, and how it signed in")
  @GET
  public CallerIdentity get() {
    SignIn signIn = caller.signIn();
    Caller who = signIn.caller();
    UUID session = signIn.session();
    return new CallerIdentity(
        who.name(),
        List.copyOf(who.groups()),
        who.grants().stream()
            .map(
                grant ->
                    new CallerIdentity.HeldRole(grant.role().word(), grant.namespaces().words()))
            .toList(),
        SignIn.way(signIn.tokenDigest()),
        session == null ? null : session.toString(),
        signIn.until());
  }
}
