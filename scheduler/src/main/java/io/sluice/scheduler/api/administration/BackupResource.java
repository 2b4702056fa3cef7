// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.administration;

import io.agroal.api.AgroalDataSource;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.ProblemKind;
import io.sluice.scheduler.backup.BackupWriter;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.security.Right;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.util.concurrent.Semaphore;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** A backup of the database, as of one snapshot. */
@Tag(name = "Server")
@Path("/v1/backup")
@RolesAllowed(Right.ADMINISTERS)
@Singleton
class BackupResource {
  private final Semaphore running = new Semaphore(1);
  private final BackupWriter writer;

  BackupResource(AgroalDataSource database, ServerSettings settings) {
    this.writer = new BackupWriter(database, settings.version());
  }

  /** The backup. Its last bytes are a digest; without them it is incomplete. */
  @Operation(operationId = "backup", summary = "Writes a backup of the database")
  @APIResponse(
      responseCode = "200",
      description = "The backup",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_OCTET_STREAM,
              schema = @Schema(type = SchemaType.STRING, format = "binary")))
  @GET
  @Blocking
  public Response backup() {
    if (!running.tryAcquire()) {
      throw new ProblemException(
          ProblemKind.OVERLOADED, "this server writes another backup already");
    }
    StreamingOutput output =
        out -> {
          try {
            writer.write(out);
          } finally {
            running.release();
          }
        };
    return Response.ok(output, MediaType.APPLICATION_OCTET_STREAM).build();
  }

  /** Without this method HEAD would call the one above, and nothing would release its permit. */
  @Operation(hidden = true)
  @HEAD
  public Response head() {
    return Response.ok().type(MediaType.APPLICATION_OCTET_STREAM).build();
  }
}
