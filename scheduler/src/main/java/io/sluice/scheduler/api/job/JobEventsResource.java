// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.agroal.api.AgroalDataSource;
import io.sluice.queuemodel.job.JobId;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.job.JobEvent;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.journal.HistoryReader;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The events of a job over REST, page by page. */
@Tag(name = "Jobs")
@Path("/v1/jobs/{id}/events")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
@Blocking
class JobEventsResource {
  private final JobLookup jobs;
  private final HistoryReader history;

  JobEventsResource(JobLookup jobs, AgroalDataSource database) {
    this.jobs = jobs;
    this.history = new HistoryReader(database);
  }

  /** Events of a job, the oldest first. */
  @Operation(operationId = "listJobEvents", summary = "Lists the events of a job, oldest first")
  @GET
  public Page<JobEvent> events(
      @PathParam("id") JobId id,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    long[] after = Pages.readEvents(cursor);
    List<HistoryReader.StoredEvent> found =
        history.events(jobs.get(id).id(), after[0], (int) after[1], limit + 1);
    return Pages.of(found, limit, JobAnswers::event, JobEventsResource::cursor);
  }

  private static String cursor(HistoryReader.StoredEvent last) {
    return Pages.writeEvents(last.sequence(), last.position());
  }
}
