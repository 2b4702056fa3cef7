// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.agroal.api.AgroalDataSource;
import io.sluice.queuemodel.event.AttemptOutcome;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobId;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.job.AttemptView;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.job.AttemptFilter;
import io.sluice.scheduler.store.journal.HistoryReader;
import io.sluice.scheduler.store.journal.HistoryReader.AttemptHistory;
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
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The attempts of a job over REST, page by page. */
@Tag(name = "Jobs")
@Path("/v1/jobs/{id}/attempts")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
@Blocking
class AttemptsResource {
  private static final Set<String> STATES = states();

  private final JobLookup jobs;
  private final HistoryReader history;

  AttemptsResource(JobLookup jobs, AgroalDataSource database) {
    this.jobs = jobs;
    this.history = new HistoryReader(database);
  }

  private static Set<String> states() {
    Set<String> states = new TreeSet<>();
    for (AttemptState state : AttemptState.values()) {
      states.add(state.name());
    }
    for (AttemptOutcome outcome : AttemptOutcome.values()) {
      states.add(outcome.name());
    }
    return states;
  }

  /**
   * Attempts, the newest first.
   *
   * @param states states or outcomes, one of which an attempt must have
   */
  @Operation(operationId = "listAttempts", summary = "Lists the attempts of a job, newest first")
  @GET
  public Page<AttemptView> list(
      @PathParam("id") JobId job,
      @QueryParam("index") @Whole(min = 0) @Nullable Integer index,
      @QueryParam("state") List<String> states,
      @QueryParam("since") @Nullable String since,
      @QueryParam("until") @Nullable String until,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    AttemptFilter filter =
        new AttemptFilter(
            job,
            index,
            states.stream().map(AttemptsResource::state).toList(),
            Parameters.times(since, until),
            Pages.readAttempt(cursor));
    jobs.get(job);
    List<AttemptHistory> found = history.attempts(filter, limit + 1);
    return Pages.of(found, limit, AttemptAnswers::of, AttemptsResource::cursor);
  }

  private static String cursor(AttemptHistory last) {
    return Pages.writeAttempt(
        new AttemptFilter.Place(last.times().admitted(), last.key().index(), last.key().attempt()));
  }

  private static String state(String word) {
    String state = word.toUpperCase(Locale.ROOT);
    if (!STATES.contains(state)) {
      throw ProblemException.badRequest(
          "state must be one of " + STATES + ", it is " + Parameters.shown(word));
    }
    return state;
  }
}
