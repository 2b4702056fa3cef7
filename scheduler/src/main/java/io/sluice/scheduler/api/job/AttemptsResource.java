// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agroal.api.AgroalDataSource;
import io.sluice.queuemodel.event.AttemptOutcome;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.store.job.AttemptFilter;
import io.sluice.scheduler.store.job.JobReader;
import io.sluice.scheduler.store.journal.HistoryReader;
import io.sluice.scheduler.store.journal.HistoryReader.AttemptHistory;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The attempts of a job, page by page. */
@Path("/v1/jobs/{id}/attempts")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.VIEWERS)
@Blocking
class AttemptsResource {
  private static final Set<String> STATES = states();

  private final JobReader jobs;
  private final HistoryReader history;

  AttemptsResource(AgroalDataSource database) {
    this.jobs = new JobReader(database);
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
   * @param states states or outcomes, of which an attempt has to have one
   */
  @GET
  public Response list(
      @PathParam("id") String id,
      @QueryParam("index") @Nullable String index,
      @QueryParam("state") List<String> states,
      @QueryParam("limit") @Nullable String limit,
      @QueryParam("cursor") @Nullable String cursor) {
    JobId job = Parameters.jobId(id);
    int most = Pages.limit(limit);
    AttemptFilter filter =
        new AttemptFilter(
            job,
            Parameters.whole("index", index, 0, Integer.MAX_VALUE),
            states.stream().map(AttemptsResource::state).toList(),
            Pages.readAttempt(cursor));
    if (jobs.find(job) == null) {
      throw ProblemException.notFound("there is no job " + id);
    }
    List<AttemptHistory> found = history.attempts(filter, most + 1);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode items = json.putArray("items");
    found.stream().limit(most).forEach(attempt -> items.add(AttemptJson.of(attempt)));
    if (found.size() > most) {
      AttemptHistory last = found.get(most - 1);
      json.put(
          "nextCursor",
          Pages.writeAttempt(
              new AttemptFilter.Place(
                  last.times().admitted(), last.key().index(), last.key().attempt())));
    }
    return Response.ok(json).build();
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
