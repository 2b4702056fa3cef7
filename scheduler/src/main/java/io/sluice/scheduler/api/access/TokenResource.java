// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.access;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.access.CallerToken;
import io.sluice.restmodel.access.IssuedToken;
import io.sluice.restmodel.access.TokenRequest;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.security.TokensFile;
import io.sluice.scheduler.security.token.CallerTokens;
import io.sluice.scheduler.security.token.IssuedSecret;
import io.sluice.scheduler.security.token.StoredToken;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Issued tokens over REST. Only administrators create them, so no token exceeds its creator. */
@Tag(name = "Tokens")
@Path("/v1/tokens")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.ADMINISTERS)
@Blocking
class TokenResource {
  private static final String ONE = "/{name}";

  private final CallerTokens tokens;
  private final CurrentCaller caller;

  TokenResource(CallerTokens tokens, CurrentCaller caller) {
    this.tokens = tokens;
    this.caller = caller;
  }

  /** Issued tokens, ordered by name. */
  @Operation(operationId = "listTokens", summary = "Lists the issued tokens of callers by name")
  @GET
  public Page<CallerToken> list(
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    List<StoredToken> found = tokens.list(cursor == null ? "" : Pages.readName(cursor), limit + 1);
    return Pages.of(found, limit, this::answer, last -> Pages.writeName(last.caller().name()));
  }

  /** One issued token. */
  @Operation(operationId = "getToken", summary = "Reads an issued token, without the token itself")
  @GET
  @Path(ONE)
  public CallerToken get(@PathParam("name") String name) {
    return answer(tokens.find(known(name)));
  }

  /** Issues a token. The answer has the token itself, and no later answer does. */
  @Operation(
      operationId = "createToken",
      summary = "Creates a token; the answer is the only one that has it")
  @APIResponseSchema(value = IssuedToken.class, responseCode = "201")
  @RequestBody(
      required = true,
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = TokenRequest.class)))
  @POST
  @Consumes(MediaType.WILDCARD)
  public Response create(byte[] body) {
    TokenRequest request = TokenBodies.token(body);
    Caller of = of(request);
    IssuedSecret issued = tokens.create(of, request.expiresAt(), caller.get());
    return unstored(
        Response.status(Response.Status.CREATED)
            .header(HttpHeaders.LOCATION, "/v1/tokens/" + of.name()),
        issued);
  }

  /** The rules for names, roles and namespaces are those of the tokens file. */
  private static Caller of(TokenRequest request) {
    List<String> namespaces = request.namespaces();
    try {
      return TokensFile.caller(
          request.name(),
          request.role(),
          namespaces == null || namespaces.isEmpty() ? "-" : String.join(",", namespaces));
    } catch (InvalidValueException invalid) {
      throw ProblemException.badRequest(Parameters.shown(String.valueOf(invalid.getMessage())));
    }
  }

  /**
   * Replaces a token by a new one.
   *
   * @param grace for how long the replaced token stays valid
   */
  @Operation(
      operationId = "rotateToken",
      summary = "Replaces a token; the answer is the only one that has the new one")
  @APIResponseSchema(value = IssuedToken.class, responseCode = "200")
  @POST
  @Path(ONE + "/rotate")
  public Response rotate(
      @PathParam("name") String name, @QueryParam("grace") @DefaultValue("0s") Duration grace) {
    return unstored(Response.ok(), tokens.rotate(known(name), grace, caller.get()));
  }

  /** Revokes a token, at once on this server and within two seconds on others. */
  @Operation(operationId = "revokeToken", summary = "Revokes a token")
  @DELETE
  @Path(ONE)
  public void revoke(@PathParam("name") String name) {
    tokens.revoke(known(name), caller.get());
  }

  private Response unstored(Response.ResponseBuilder answer, IssuedSecret issued) {
    return answer
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .entity(new IssuedToken(issued.secret(), answer(issued.stored())))
        .build();
  }

  private CallerToken answer(StoredToken token) {
    return TokenAnswers.token(token, tokens.isShadowed(token), Instant.now());
  }

  /** A name that the database can store. */
  private static String known(String name) {
    if (!Parameters.storable(name)) {
      throw ProblemException.notFound("there is no token " + Parameters.shown(name));
    }
    return name;
  }
}
