// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.administration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agroal.api.AgroalDataSource;
import io.sluice.admission.EngineVersion;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.recheck.JournalRecheck;
import io.sluice.scheduler.recheck.RecheckAnswer;
import io.sluice.scheduler.security.Role;
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
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The journal over REST: its snapshots, and rechecks of past batches. */
@Path("/v1/journal")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Role.ADMINS)
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
  @GET
  public Response get(
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    List<StoredSnapshot> stored = snapshots.list(Pages.readNumber(cursor), limit + 1);
    StoredSnapshot oldest = snapshots.oldest();
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("engineVersion", EngineVersion.CURRENT);
    if (oldest != null) {
      json.put("first", oldest.sequence() + 1);
    }
    json.put("last", view.sequence());
    ArrayNode list = json.putArray("snapshots");
    for (StoredSnapshot snapshot : stored.subList(0, Math.min(limit, stored.size()))) {
      ObjectNode one = list.addObject();
      one.put("sequence", snapshot.sequence());
      one.put("takenAt", snapshot.takenAt().toString());
      one.put("jobs", snapshot.jobs());
      one.put("bytes", snapshot.bytes());
    }
    if (stored.size() > limit) {
      json.put("nextCursor", Pages.writeNumber(stored.get(limit - 1).sequence()));
    }
    return Response.ok(json).build();
  }

  /** Rechecks a batch, and the following ones if more are requested. */
  @GET
  @Path("/{sequence}/recheck")
  public Response recheck(
      @PathParam("sequence") String sequence,
      @QueryParam("batches") @DefaultValue("1") @Whole(min = 1, max = JournalRecheck.BATCHES_MAX)
          int batches) {
    RecheckAnswer answer = recheck.recheck(Parameters.sequence(sequence), batches);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("from", answer.from());
    json.put("to", answer.to());
    json.put("snapshot", answer.snapshot());
    json.put("same", answer.difference() == null);
    RecheckAnswer.Difference difference = answer.difference();
    if (difference != null) {
      ObjectNode where = json.putObject("difference");
      where.put("sequence", difference.sequence());
      where.put("position", difference.position());
      where.set("recorded", event(difference.recorded()));
      where.set("recomputed", event(difference.recomputed()));
    }
    if (answer.more()) {
      json.put("next", answer.to() + 1);
    }
    return Response.ok(json).build();
  }

  private static @Nullable ObjectNode event(@Nullable StoredEvent event) {
    if (event == null) {
      return null;
    }
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("kind", event.kind());
    if (event.job() != null) {
      json.put("job", event.job().toString());
    }
    json.set("body", JournalJson.tree(event.body()));
    return json;
  }
}
