// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.access;

import io.sluice.restmodel.Page;
import io.sluice.restmodel.access.CallerSession;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.security.SignIn;
import io.sluice.scheduler.security.session.CallerSessions;
import io.sluice.scheduler.security.session.SessionRepository;
import io.sluice.scheduler.security.session.StoredSession;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Sessions of browsers: those of the caller, and of all callers for administrators. */
@Tag(name = "Sessions")
@Path("/v1/sessions")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
@Blocking
class SessionsResource {
  private final CallerSessions sessions;
  private final CurrentCaller caller;

  SessionsResource(CallerSessions sessions, CurrentCaller caller) {
    this.sessions = sessions;
    this.caller = caller;
  }

  /** The caller's sessions; those of all callers for an administrator. */
  @Operation(
      operationId = "listSessions",
      summary = "Lists the caller's sessions; to an administrator, those of all callers")
  @GET
  public Page<CallerSession> list(
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    SignIn signIn = caller.signIn();
    List<StoredSession> found =
        sessions.list(confinedTo(signIn.caller()), place(cursor), limit + 1);
    return Pages.of(
        found,
        limit,
        session -> SessionAnswers.session(session, signIn.session()),
        last -> Pages.writeNamed(last.session().caller(), last.session().id().toString()));
  }

  /** Revokes a session, at once on this server and within two seconds on others. */
  @Operation(operationId = "revokeSession", summary = "Revokes a session")
  @DELETE
  @Path("/{id}")
  public void revoke(@PathParam("id") String id) {
    Caller who = caller.get();
    UUID parsed = uuid(id);
    if (parsed == null) {
      throw ProblemException.notFound("there is no session " + Parameters.shown(id));
    }
    sessions.end(parsed, confinedTo(who), who);
  }

  /** The caller whose sessions may be seen; null: those of all. */
  private static @Nullable String confinedTo(Caller who) {
    return who.mayEverywhere(Right.ADMINISTER) ? null : who.name();
  }

  private static SessionRepository.@Nullable Place place(@Nullable String cursor) {
    String[] names = Pages.readNamed(cursor);
    if (names == null) {
      return null;
    }
    UUID id = uuid(names[1]);
    if (id == null) {
      throw ProblemException.badRequest("the cursor is not of this list");
    }
    return new SessionRepository.Place(names[0], id);
  }

  private static @Nullable UUID uuid(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException other) {
      return null;
    }
  }
}
