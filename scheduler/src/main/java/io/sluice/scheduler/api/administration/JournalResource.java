// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.administration;

import io.agroal.api.AgroalDataSource;
import io.sluice.admission.EngineVersion;
import io.sluice.restmodel.administration.JournalOverview;
import io.sluice.restmodel.administration.JournalOverview.JournalSnapshot;
import io.sluice.restmodel.administration.RecheckResult;
import io.sluice.restmodel.administration.RecheckResult.JournalEvent;
import io.sluice.restmodel.administration.RecheckResult.RecheckDifference;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.recheck.JournalRecheck;
import io.sluice.scheduler.recheck.RecheckAnswer;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.JournalJson;
import io.sluice.scheduler.store.journal.RecordedRounds.StoredEvent;
import io.sluice.scheduler.store.journal.SnapshotRows;
import io.sluice.scheduler.store.journal.StoredSnapshot;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.inject.Singleton;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The journal over REST: its snapshots, and rechecks of past batches. */
@Tag(name = "Journal")
@Path("/v1/journal")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.AUDITS)
@Blocking
@Singleton
class JournalResource {
  private final CommittedView view;
  private final SnapshotRows snapshots;
  private final JournalRecheck recheck;

  JournalResource(CommittedView view, AgroalDataSource database) {
    this.view = view;
    this.snapshots = new SnapshotRows(database);
    this.recheck = new JournalRecheck(database);
  }

  /** The snapshots, the newest first, and the range of batches that can be rechecked. */
  @Operation(
      operationId = "getJournal",
      summary = "Lists the stored snapshots and the batches that can be rechecked")
  @GET
  public JournalOverview get(
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    List<StoredSnapshot> stored = snapshots.list(Pages.readNumber(cursor), limit + 1);
    StoredSnapshot oldest = snapshots.oldest();
    return new JournalOverview(
        EngineVersion.CURRENT,
        oldest == null ? null : oldest.sequence() + 1,
        view.sequence(),
        stored.stream()
            .limit(limit)
            .map(
                snapshot ->
                    new JournalSnapshot(
                        snapshot.sequence(), snapshot.takenAt(), snapshot.jobs(), snapshot.bytes()))
            .toList(),
        stored.size() > limit ? Pages.writeNumber(stored.get(limit - 1).sequence()) : null);
  }

  /** Rechecks a batch, and the following ones if more are requested. */
  @Operation(
      operationId = "recheckBatches",
      summary = "Decides batches again and compares the results")
  @APIResponseSchema(value = RecheckResult.class, responseCode = "200")
  @APIResponse(responseCode = "409", ref = "Problem409")
  @GET
  @Path("/{sequence}/recheck")
  public RecheckResult recheck(
      @PathParam("sequence") String sequence,
      @QueryParam("batches") @DefaultValue("1") @Whole(min = 1, max = JournalRecheck.BATCHES_MAX)
          int batches) {
    RecheckAnswer answer = recheck.recheck(Parameters.sequence(sequence), batches);
    RecheckAnswer.Difference difference = answer.difference();
    return new RecheckResult(
        answer.from(),
        answer.to(),
        answer.snapshot(),
        difference == null,
        difference == null
            ? null
            : new RecheckDifference(
                difference.sequence(),
                difference.position(),
                event(difference.recorded()),
                event(difference.recomputed())),
        answer.more() ? answer.to() + 1 : null);
  }

  private static @Nullable JournalEvent event(@Nullable StoredEvent event) {
    return event == null
        ? null
        : new JournalEvent(
            event.kind(),
            event.job() == null ? null : event.job().toString(),
            JournalJson.fields(event.body()));
  }
}
