// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import io.agroal.api.AgroalDataSource;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.fleet.FleetOverview;
import io.sluice.restmodel.fleet.FleetOverview.FleetCluster;
import io.sluice.restmodel.fleet.FleetOverview.SliceCount;
import io.sluice.restmodel.fleet.SliceView;
import io.sluice.scheduler.api.FromView;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.sharing.Shared;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetStandings;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetWatch.ClusterStanding;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Right;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** The fleet over REST: its slices, and their present holders. */
@Tag(name = "Fleet")
@Path("/v1/fleet")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Right.READS)
class FleetResource {
  private static final int REASONS_MAX = 100;

  private final CommittedView view;
  private final VirtualCapacity capacity;
  private final FleetStandings standings;
  private final CurrentCaller caller;
  private final SliceListing slices;

  FleetResource(
      CommittedView view,
      VirtualCapacity capacity,
      FleetStandings standings,
      CurrentCaller caller,
      AgroalDataSource database) {
    this.caller = caller;
    this.view = view;
    this.capacity = capacity;
    this.standings = standings;
    this.slices = new SliceListing(standings, new SliceHistory(database));
  }

  /** The parts of the answer that are read from the state. */
  private record Totals(String executor, int hosts, SliceCount sliceCount, Page<SliceView> page) {}

  /** The totals of the fleet, and the slices with their present holders. */
  @Operation(
      operationId = "getFleet",
      summary = "Counts the fleet, and lists its slices with their holders")
  @APIResponseSchema(value = FleetOverview.class, responseCode = "200")
  @GET
  @FromView
  @Shared
  public Response fleet(
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    Set<String> failed = capacity.failedHosts();
    NamespaceScope readable = caller.readable();
    CommittedView.Answer<Totals> answer =
        view.ask(
            state ->
                new Totals(
                    state.fleet().executor().word(),
                    state.fleet().hosts().size(),
                    count(state),
                    slices.page(state, failed, limit, cursor, readable)));
    Totals totals = answer.value();
    List<ClusterStanding> clusters = standings.clusters();
    FleetOverview overview =
        new FleetOverview(
            totals.executor(),
            totals.hosts(),
            failed.size(),
            totals.sliceCount(),
            clusters.isEmpty() ? null : clusters.stream().map(FleetResource::cluster).toList(),
            clusters.isEmpty() ? null : first(standings.refused()),
            slices.withSince(totals.page().items(), readable),
            totals.page().nextCursor());
    return Response.ok(overview).header("Sluice-Sequence", answer.sequence()).build();
  }

  /** A cluster whose nodes form the fleet, as this server sees it, and the nodes left out. */
  private static FleetCluster cluster(ClusterStanding cluster) {
    return new FleetCluster(
        cluster.cluster(),
        cluster.nodes(),
        cluster.unreachableSince(),
        first(cluster.refused()),
        first(cluster.incomplete()));
  }

  /**
   * The first reasons only, to bound the answer for a fleet with many errors; null if there are
   * none.
   */
  private static @Nullable Map<String, String> first(Map<String, String> reasons) {
    if (reasons.isEmpty()) {
      return null;
    }
    Map<String, String> first = new LinkedHashMap<>();
    reasons.entrySet().stream()
        .limit(REASONS_MAX)
        .forEach(reason -> first.put(reason.getKey(), reason.getValue()));
    return first;
  }

  private static SliceCount count(AdmissionState state) {
    EnumMap<SliceCondition, Integer> standing = new EnumMap<>(SliceCondition.class);
    int kept = 0;
    for (SliceStanding one : state.slices().standings().all()) {
      standing.merge(one.condition(), 1, Integer::sum);
      kept += one.keptFor() == null ? 0 : 1;
    }
    int all = state.slices().all().size();
    int absent = standing.getOrDefault(SliceCondition.ABSENT, 0);
    int leaving = standing.getOrDefault(SliceCondition.LEAVING, 0);
    return new SliceCount(
        all, all - absent - leaving, leaving, absent, state.slices().held(), kept);
  }
}
