// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.agroal.api.AgroalDataSource;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.store.job.JobReader;
import io.sluice.scheduler.store.journal.HistoryReader;
import io.smallrye.common.annotation.Blocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import org.jspecify.annotations.Nullable;

/** What the pods of a job print. */
@Path("/v1/jobs/{id}/logs")
@RolesAllowed(Role.VIEWERS)
class LogResource {
  private static final int TAIL_BYTES_MAX = 64 << 20;

  private final LogReaders readers;
  private final CurrentVertxRequest exchanges;
  private final JobReader jobs;
  private final HistoryReader history;
  private final Executor executor;

  LogResource(
      AgroalDataSource database,
      Executor executor,
      LogReaders readers,
      CurrentVertxRequest exchanges) {
    this.readers = readers;
    this.exchanges = exchanges;
    this.jobs = new JobReader(database);
    this.history = new HistoryReader(database);
    this.executor = executor;
  }

  /**
   * The log of one pod, or of all, each line then begun by its pod's name.
   *
   * @param attempt default: the last
   * @param tail so many bytes before the end to begin with; default: from the beginning
   * @param follow whether to go on until the attempt ends, from the start of one if there is none
   */
  @GET
  @Blocking
  public Response logs(
      @PathParam("id") String id,
      @QueryParam("index") @Nullable String index,
      @QueryParam("attempt") @Nullable String attempt,
      @QueryParam("pod") @Nullable String pod,
      @QueryParam("tail") @Nullable String tail,
      @QueryParam("follow") @Nullable String follow) {
    JobId job = Parameters.jobId(id);
    Integer asked = Parameters.whole("index", index, 0, Integer.MAX_VALUE);
    LogRequest request =
        new LogRequest(
            job,
            asked == null ? 0 : asked,
            Parameters.whole("attempt", attempt, 1, Integer.MAX_VALUE),
            Parameters.text("pod", pod),
            Parameters.whole("tail", tail, 0, TAIL_BYTES_MAX),
            Parameters.flag("follow", follow));
    if (jobs.find(job) == null) {
      throw ProblemException.notFound("there is no job " + id);
    }
    LogStream stream = new LogStream(request, jobs, history, executor.logs());
    stream.check();
    RoutingContext exchange = exchanges.getCurrent();
    LogReaders.Permit permit = readers.acquire(exchange);
    StreamingOutput output =
        out -> {
          if (!permit.begin()) {
            return;
          }
          try {
            stream.copyTo(out, () -> exchange.response().closed());
          } finally {
            permit.end();
          }
        };
    return Response.ok(output, MediaType.TEXT_PLAIN + ";charset=UTF-8").build();
  }
}
