// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import io.agroal.api.AgroalDataSource;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.job.EndedAttempt;
import io.sluice.restmodel.job.EndedAttempt.QuotaAmount;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.journal.EndedAttemptReader;
import io.sluice.scheduler.store.journal.EndedAttemptReader.EndedAttemptRow;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Attempts of all jobs that have ended, over REST. */
@Tag(name = "Jobs")
@Path("/v1/attempts")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
@Blocking
class EndedAttemptsResource {
  private final CurrentCaller caller;
  private final EndedAttemptReader attempts;

  EndedAttemptsResource(CurrentCaller caller, AgroalDataSource database) {
    this.caller = caller;
    this.attempts = new EndedAttemptReader(database);
  }

  /** Attempts that have ended, the last end first. */
  @Operation(
      operationId = "listEndedAttempts",
      summary = "Lists what ended attempts of all jobs held and when, last end first")
  @GET
  public Page<EndedAttempt> list(
      @QueryParam("since") @Nullable String since,
      @QueryParam("until") @Nullable String until,
      @QueryParam("withoutSlices") @DefaultValue("false") boolean withoutSlices,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    List<EndedAttemptRow> found =
        attempts.read(
            Parameters.times(since, until),
            withoutSlices,
            Pages.readEndedAttempt(cursor),
            limit + 1);
    NamespaceScope readable = caller.readable();
    return Pages.of(
        found,
        limit,
        one -> answer(one, readable.contains(one.namespace())),
        last ->
            Pages.writeEndedAttempt(new EndedAttemptReader.Place(last.ended(), last.attempt())));
  }

  /**
   * An attempt.
   *
   * @param readable whether the caller may know its job
   */
  private static EndedAttempt answer(EndedAttemptRow one, boolean readable) {
    AttemptKey key = one.attempt();
    return new EndedAttempt(
        readable ? key.job().toString() : null,
        readable ? key.index() : null,
        readable ? key.attempt() : null,
        readable ? one.name() : null,
        readable ? one.namespace() : null,
        readable ? one.queue() : null,
        one.clusterQueue(),
        one.admitted(),
        one.ended(),
        one.outcome(),
        amounts(one.assignment().podSets()),
        one.assignment().slices());
  }

  private static List<QuotaAmount> amounts(List<PodSetAssignment> podSets) {
    SortedMap<String, SortedMap<ResourceName, Long>> byFlavor = new TreeMap<>();
    for (PodSetAssignment podSet : podSets) {
      podSet
          .flavors()
          .forEach(
              (resource, flavor) ->
                  byFlavor
                      .computeIfAbsent(flavor, absent -> new TreeMap<>())
                      .merge(resource, podSet.usage().get(resource), Long::sum));
    }
    List<QuotaAmount> amounts = new ArrayList<>();
    byFlavor.forEach(
        (flavor, used) ->
            used.forEach(
                (resource, amount) ->
                    amounts.add(
                        new QuotaAmount(
                            flavor, resource.value(), Quantities.format(amount, resource)))));
    return amounts;
  }
}
