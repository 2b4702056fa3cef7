// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.agroal.api.AgroalDataSource;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.job.JobReader;
import io.sluice.scheduler.store.journal.HistoryReader;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The logs of pods over REST. */
@Tag(name = "Jobs")
@Path("/v1/jobs/{id}/logs")
@RolesAllowed(Right.READS)
class LogResource {
  private static final int TAIL_BYTES_MAX = 64 << 20;

  private final LogReaders readers;
  private final CurrentVertxRequest exchanges;
  private final JobLookup lookup;
  private final CurrentCaller caller;
  private final JobReader jobs;
  private final HistoryReader history;
  private final Executor executor;

  LogResource(
      AgroalDataSource database,
      JobLookup lookup,
      Executor executor,
      LogReaders readers,
      CurrentCaller caller,
      CurrentVertxRequest exchanges) {
    this.caller = caller;
    this.lookup = lookup;
    this.readers = readers;
    this.exchanges = exchanges;
    this.jobs = new JobReader(database);
    this.history = new HistoryReader(database);
    this.executor = executor;
  }

  /**
   * The log of one pod, or of all, where each line begins with its pod's name.
   *
   * @param attempt default: the last
   * @param tail number of bytes before the end at which to begin; default: from the beginning
   * @param follow whether to continue until the attempt ends; waits for an attempt if there is none
   */
  @Operation(operationId = "readLogs", summary = "Reads the output of a job, or follows it")
  @APIResponse(
      responseCode = "200",
      description = "The output",
      content =
          @Content(mediaType = MediaType.TEXT_PLAIN, schema = @Schema(type = SchemaType.STRING)))
  @GET
  @Blocking
  public Response logs(
      @PathParam("id") JobId job,
      @QueryParam("index") @DefaultValue("0") @Whole(min = 0) int index,
      @QueryParam("attempt") @Whole(min = 1) @Nullable Integer attempt,
      @QueryParam("pod") @Nullable String pod,
      @QueryParam("tail") @Whole(min = 0, max = TAIL_BYTES_MAX) @Nullable Integer tail,
      @QueryParam("follow") @DefaultValue("false") boolean follow) {
    LogRequest request = new LogRequest(job, index, attempt, pod, tail, follow);
    lookup.get(job);
    LogStream stream = new LogStream(request, jobs, history, executor.logs());
    stream.check();
    RoutingContext exchange = exchanges.getCurrent();
    BooleanSupplier permitted = caller.stillReads();
    LogReaders.Permit permit = readers.acquire(exchange);
    StreamingOutput output =
        out -> {
          if (!permit.begin()) {
            return;
          }
          try {
            stream.copyTo(out, () -> exchange.response().closed() || !permitted.getAsBoolean());
          } finally {
            permit.end();
          }
        };
    return Response.ok(output, MediaType.TEXT_PLAIN + ";charset=UTF-8").build();
  }
}
