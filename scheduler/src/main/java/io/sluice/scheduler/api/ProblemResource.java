// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.sluice.restmodel.Problem;
import jakarta.annotation.security.PermitAll;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/**
 * The pages about the kinds of problems. Callers without a token may read them: to have no token is
 * one of the problems.
 */
@Tag(name = "Problems")
@Path(ProblemKind.PATH)
@Produces(MediaType.TEXT_PLAIN + ";charset=UTF-8")
@PermitAll
@Singleton
class ProblemResource {
  /** The page of a kind: what it means and what to do. */
  @Operation(operationId = "getProblem", summary = "Reads the page about a kind of problem")
  @APIResponse(
      responseCode = "200",
      description = "The page",
      content =
          @Content(mediaType = MediaType.TEXT_PLAIN, schema = @Schema(type = SchemaType.STRING)))
  @APIResponseSchema(value = Problem.class, responseCode = "404")
  @GET
  @Path("/{code}")
  public String get(@PathParam("code") String code) {
    return ProblemKind.of(code).map(ProblemPages::page).orElseThrow(() -> unknown(code));
  }

  private static ProblemException unknown(String code) {
    return ProblemException.notFound(
        "there is no kind of problem %s; known: %s"
            .formatted(
                Parameters.shown(code),
                Stream.of(ProblemKind.values())
                    .map(ProblemKind::code)
                    .collect(Collectors.joining(", "))));
  }
}
