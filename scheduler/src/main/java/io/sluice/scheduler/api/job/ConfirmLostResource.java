// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agroal.api.AgroalDataSource;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobId;
import io.sluice.restmodel.job.LossConfirmed;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.ProblemKind;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.input.InputWriter;
import io.sluice.scheduler.store.job.AttemptReader;
import io.sluice.scheduler.store.job.StoredAttempt;
import io.sluice.scheduler.store.job.StoredJob;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * Records an administrator's confirmation that nothing is left of a draining attempt. This frees
 * what the attempt holds, and its later reports change nothing.
 */
@Tag(name = "Jobs")
@Path("/v1/jobs/{id}/confirm-lost")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Right.ADMINISTERS)
class ConfirmLostResource {
  private final JobLookup jobs;
  private final AttemptReader attempts;
  private final InputWriter inputs;
  private final CurrentCaller caller;

  ConfirmLostResource(JobLookup jobs, AgroalDataSource database, CurrentCaller caller) {
    this.jobs = jobs;
    this.attempts = new AttemptReader(database);
    this.inputs = new InputWriter(database);
    this.caller = caller;
  }

  /**
   * Answers when the input is durable.
   *
   * @param index of an array; 0 if omitted
   * @param attempt its number; required, so that a later attempt is not confirmed by mistake
   */
  @Operation(
      operationId = "confirmLost",
      summary = "Confirms that nothing is left of an attempt that drains")
  @APIResponseSchema(value = LossConfirmed.class, responseCode = "202")
  @POST
  public Response confirm(
      @PathParam("id") JobId job,
      @QueryParam("index") @DefaultValue("0") @Whole(min = 0) int index,
      @QueryParam("attempt") @Whole(min = 1) @Nullable Integer attempt) {
    if (attempt == null) {
      throw ProblemException.badRequest("attempt is missing: the number of the lost attempt");
    }
    StoredJob found = jobs.get(job);
    AttemptKey key = new AttemptKey(job, index, attempt);
    requireDraining(key);
    Caller who = caller.get();
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    detail.put("index", key.index());
    detail.put("attempt", key.attempt());
    inputs.append(
        List.of(new Input.ConfirmLost(key, who.name())),
        List.of(
            new AuditEntry(
                who,
                AuditEntry.Action.CONFIRM_LOST,
                "Job",
                found.origin().namespace(),
                found.origin().name(),
                job,
                detail)));
    return Response.accepted(new LossConfirmed(job.toString(), key.index(), key.attempt())).build();
  }

  private void requireDraining(AttemptKey key) {
    List<StoredAttempt> stored = attempts.find(List.of(key));
    if (stored.isEmpty()) {
      throw ProblemException.notFound(
          "job %s has no attempt %d of index %d".formatted(key.job(), key.attempt(), key.index()));
    }
    AttemptState state = stored.get(0).state();
    if (state != AttemptState.DRAINING) {
      throw new ProblemException(
          ProblemKind.CONFLICT,
          "attempt %d of index %d is %s; only an attempt that is DRAINING can be confirmed lost: cancel or hold its job, or reclaim its slice first"
              .formatted(key.attempt(), key.index(), state));
    }
  }
}
