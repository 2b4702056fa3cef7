// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.access;

import io.quarkus.security.ForbiddenException;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.restmodel.access.Permission;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Owners;
import io.sluice.scheduler.security.Permissions;
import io.sluice.scheduler.security.Right;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Whether a caller may do something, asked before it is tried. */
@Tag(name = "Sessions")
@Path("/v1/permission")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
class PermissionResource {
  private static final int GROUPS_MAX = 500;

  private final CurrentCaller current;
  private final Owners owners;

  PermissionResource(CurrentCaller current, Owners owners) {
    this.current = current;
    this.owners = owners;
  }

  /**
   * Answers for the caller, or for another user.
   *
   * @param as name of the other user; its roles are those of its token, of teams and of role
   *     bindings
   * @param groups of that user
   */
  @Operation(
      operationId = "checkPermission",
      summary = "Says whether the caller, or another user, may do something")
  @GET
  public Permission check(
      @QueryParam("verb") @Nullable String verb,
      @QueryParam("kind") @Nullable String kind,
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("as") @Nullable String as,
      @QueryParam("group") List<String> groups) {
    if (verb == null || kind == null) {
      throw ProblemException.badRequest("verb and kind are required, such as submit and jobs");
    }
    try {
      Permissions.Answer answer = Permissions.check(asked(as, groups), verb, kind, namespace);
      return new Permission(answer.allowed(), answer.reason());
    } catch (InvalidValueException unknown) {
      throw ProblemException.badRequest(Parameters.shown(String.valueOf(unknown.getMessage())));
    }
  }

  private Caller asked(@Nullable String as, List<String> groups) {
    Caller caller = current.get();
    if (as == null) {
      if (!groups.isEmpty()) {
        throw ProblemException.badRequest("group needs as: the groups of the caller are known");
      }
      return caller;
    }
    if (!caller.mayEverywhere(Right.AUDIT)) {
      throw new ForbiddenException(
          caller.described() + ", may not ask for other users: that needs an auditor");
    }
    if (groups.size() > GROUPS_MAX) {
      throw ProblemException.badRequest("there may be at most %d groups".formatted(GROUPS_MAX));
    }
    return owners.now(as, groups);
  }
}
