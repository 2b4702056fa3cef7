// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.access;

import io.sluice.restmodel.access.CallerSession;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.security.SessionCookie;
import io.sluice.scheduler.security.SignIn;
import io.sluice.scheduler.security.session.CallerSessions;
import io.sluice.scheduler.submission.RefusedException;
import io.smallrye.common.annotation.Blocking;
import io.vertx.core.http.HttpServerRequest;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The session of the browser that asks. */
@Tag(name = "Sessions")
@Path("/session")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
@Blocking
class SessionResource {
  private final CallerSessions sessions;
  private final CurrentCaller caller;
  private final SessionCookie cookie;

  SessionResource(CallerSessions sessions, CurrentCaller caller, SessionCookie cookie) {
    this.sessions = sessions;
    this.caller = caller;
    this.cookie = cookie;
  }

  /** Begins a session of the caller of a token. A session cannot begin another, to last longer. */
  @Operation(
      operationId = "beginSession",
      summary = "Begins a session of the caller of a token; the answer sets its cookie")
  @APIResponseSchema(value = CallerSession.class, responseCode = "201")
  @POST
  public Response begin(@Context HttpServerRequest request) {
    SignIn signIn = caller.signIn();
    if (signIn.session() != null) {
      throw new RefusedException(
          RefusedException.Kind.CONFLICT,
          "a session begins with a token in Authorization, not with the cookie of another session");
    }
    CallerSessions.Begun begun = sessions.begin(signIn);
    UUID id = begun.stored().session().id();
    Duration lasts = Duration.between(Instant.now(), begun.stored().session().expiresAt());
    return Response.status(Response.Status.CREATED)
        .header(HttpHeaders.LOCATION, "/v1/sessions/" + id)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .header(HttpHeaders.SET_COOKIE, cookie.begin(request, begun.secret(), lasts).encode())
        .entity(SessionAnswers.session(begun.stored(), id))
        .build();
  }

  /** Signs out: ends the session of the request. */
  @Operation(
      operationId = "endSession",
      summary = "Signs out: ends the session of the request, and removes its cookie")
  @APIResponseSchema(value = Void.class, responseCode = "204")
  @DELETE
  public Response end(@Context HttpServerRequest request) {
    SignIn signIn = caller.signIn();
    UUID id = signIn.session();
    if (id == null) {
      throw new RefusedException(
          RefusedException.Kind.CONFLICT, "the request has a token, and no session that could end");
    }
    sessions.end(id, null, signIn.caller());
    return Response.noContent()
        .header(HttpHeaders.SET_COOKIE, cookie.end(request).encode())
        .build();
  }
}
