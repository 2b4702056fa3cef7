// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.agroal.api.AgroalDataSource;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.event.text.Checkpoint;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.restmodel.job.CheckpointAccepted;
import io.sluice.restmodel.job.CheckpointReport;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.ProblemKind;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.job.StoredJob;
import io.sluice.scheduler.submission.CheckpointReports;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Receives checkpoint reports from programs of jobs. */
@Tag(name = "Jobs")
@Path("/v1/jobs/{id}/checkpoint")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Right.SUBMITS)
class CheckpointResource {
  /** Enough for the longest text with JSON escapes, and the numbers. */
  private static final int BODY_BYTES_MAX = 32 * 1024;

  private static final ObjectReader READER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build()
          .readerFor(CheckpointReport.class);

  private final JobLookup jobs;
  private final CheckpointReports reports;
  private final CurrentCaller caller;

  CheckpointResource(JobLookup jobs, AgroalDataSource database, CurrentCaller caller) {
    this.jobs = jobs;
    this.reports = new CheckpointReports(database);
    this.caller = caller;
  }

  /** Acknowledged when the report is durable. */
  @Operation(operationId = "reportCheckpoint", summary = "Reports a checkpoint for later starts")
  @APIResponseSchema(value = CheckpointAccepted.class, responseCode = "202")
  @RequestBody(
      required = true,
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = CheckpointReport.class)))
  @POST
  @Consumes(MediaType.WILDCARD)
  public Response report(@PathParam("id") JobId job, byte[] body) {
    CheckpointReport asked = read(body);
    int attempt = required("attempt", asked.attempt(), 1);
    int generation = required("generation", asked.generation(), 1);
    int index = asked.index() == null ? 0 : required("index", asked.index(), 0);
    String text = text(asked.text());
    StoredJob found = jobs.get(job);
    Caller who = caller.require(Right.SUBMIT, found.origin().namespace());
    reports.report(found, new AttemptKey(job, index, attempt), generation, text, who);
    return Response.accepted(
            new CheckpointAccepted(job.toString(), index, attempt, generation, text))
        .build();
  }

  private static CheckpointReport read(byte[] body) {
    if (body.length > BODY_BYTES_MAX) {
      throw new ProblemException(
          ProblemKind.BODY_TOO_LARGE,
          "a checkpoint's body has at most %d bytes, this has %d"
              .formatted(BODY_BYTES_MAX, body.length));
    }
    try {
      CheckpointReport read = READER.readValue(new String(body, StandardCharsets.UTF_8));
      if (read != null) {
        return read;
      }
    } catch (JsonProcessingException unreadable) {
      throw ProblemException.badRequest(
          "the body must be JSON with attempt, generation and text: "
              + Parameters.shown(String.valueOf(unreadable.getOriginalMessage())));
    }
    throw ProblemException.badRequest("the body must be JSON with attempt, generation and text");
  }

  private static int required(String field, @Nullable Integer number, int min) {
    if (number == null || number < min) {
      throw ProblemException.badRequest(
          "%s must be a whole number from %d, it is %s".formatted(field, min, number));
    }
    return number;
  }

  private static String text(@Nullable String text) {
    try {
      return Checkpoint.requireText(text == null ? "" : text);
    } catch (InvalidValueException refused) {
      throw ProblemException.badRequest("text " + refused.getMessage());
    }
  }
}
