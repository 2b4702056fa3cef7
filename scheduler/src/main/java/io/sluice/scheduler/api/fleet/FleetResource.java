// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agroal.api.AgroalDataSource;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.scheduler.api.FromView;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetStandings;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetWatch.ClusterStanding;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.store.journal.HistoryReader;
import io.sluice.scheduler.store.journal.SliceHistory;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fleet over REST: its slices, and their present and past holders. */
@Path("/v1/fleet")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Role.VIEWERS)
class FleetResource {
  private static final int REASONS_MAX = 100;

  private final HistoryReader history;
  private final SliceListing slices;
  private final FleetStandings standings;

  FleetResource(
      CommittedView view,
      VirtualCapacity capacity,
      FleetStandings standings,
      AgroalDataSource database) {
    this.standings = standings;
    this.history = new HistoryReader(database);
    this.slices = new SliceListing(view, capacity, standings, new SliceHistory(database));
  }

  /** The totals of the fleet, and the slices with their present holders. */
  @GET
  @FromView
  public Response fleet(
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    return slices.page(
        limit, cursor, (state, failed) -> withClusters(counts(state, failed)), "slices");
  }

  /**
   * Adds the clusters whose nodes form the fleet, as this server sees them, and the nodes left out.
   */
  private ObjectNode withClusters(ObjectNode json) {
    List<ClusterStanding> clusters = standings.clusters();
    if (clusters.isEmpty()) {
      return json;
    }
    ArrayNode items = json.putArray("clusters");
    for (ClusterStanding cluster : clusters) {
      ObjectNode one = items.addObject();
      one.put("name", cluster.cluster()).put("nodes", cluster.nodes());
      if (cluster.unreachableSince() != null) {
        one.put("unreachableSince", cluster.unreachableSince().toString());
      }
      put(cluster.refused(), one, "refused");
      put(cluster.incomplete(), one, "incomplete");
    }
    put(standings.refused(), json, "refused");
    return json;
  }

  /** Adds the first reasons only, to bound the answer for a fleet with many errors. */
  private static void put(Map<String, String> reasons, ObjectNode json, String field) {
    if (!reasons.isEmpty()) {
      ObjectNode named = json.putObject(field);
      reasons.entrySet().stream()
          .limit(REASONS_MAX)
          .forEach(reason -> named.put(reason.getKey(), reason.getValue()));
    }
  }

  private static ObjectNode counts(AdmissionState state, Set<String> failed) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("executor", state.fleet().executor().word());
    json.put("hosts", state.fleet().hosts().size());
    json.put("hostsFailed", failed.size());
    EnumMap<SliceCondition, Integer> standing = new EnumMap<>(SliceCondition.class);
    int kept = 0;
    for (SliceStanding one : state.slices().standings().all()) {
      standing.merge(one.condition(), 1, Integer::sum);
      kept += one.keptFor() == null ? 0 : 1;
    }
    int absent = standing.getOrDefault(SliceCondition.ABSENT, 0);
    int leaving = standing.getOrDefault(SliceCondition.LEAVING, 0);
    ObjectNode count = json.putObject("sliceCount");
    count.put("all", state.slices().all().size());
    count.put("ready", state.slices().all().size() - absent - leaving);
    count.put("leaving", leaving);
    count.put("absent", absent);
    count.put("held", state.slices().held());
    count.put("kept", kept);
    return json;
  }

  /** Allocations of slices, the newest first. */
  @GET
  @Path("/allocations")
  public Response allocations(
      @QueryParam("since") @Nullable String since,
      @QueryParam("until") @Nullable String until,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    Pages.AllocationPlace after = Pages.readAllocation(cursor);
    List<HistoryReader.Allocation> found =
        history.allocations(
            Parameters.times(since, until), after.sequence(), after.slice(), limit + 1);
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode items = json.putArray("items");
    for (HistoryReader.Allocation allocation : found.subList(0, Math.min(limit, found.size()))) {
      ObjectNode one = items.addObject();
      one.put("slice", allocation.slice());
      one.put("job", allocation.attempt().job().toString());
      one.put("index", allocation.attempt().index());
      one.put("attempt", allocation.attempt().attempt());
      one.put("name", allocation.jobName());
      one.put("from", allocation.from().toString());
      if (allocation.to() != null) {
        one.put("to", allocation.to().toString());
      }
    }
    if (found.size() > limit) {
      HistoryReader.Allocation last = found.get(limit - 1);
      json.put("nextCursor", Pages.writeAllocation(last.sequence(), last.slice()));
    }
    return Response.ok(json).build();
  }
}
