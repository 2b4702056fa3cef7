// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.fleet.HostView;
import io.sluice.scheduler.api.FromView;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetStandings;
import io.sluice.scheduler.execution.kubernetes.fleet.OutsideUse;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Right;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** The hosts of the fleet over REST, by name, page by page. */
@Tag(name = "Fleet")
@Path("/v1/hosts")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Right.READS)
class HostsResource {
  private static final String FAILED = "FAILED";

  private final CommittedView view;
  private final VirtualCapacity capacity;
  private final FleetStandings standings;
  private final CurrentCaller caller;
  private volatile ByName known = ByName.of(Fleet.EMPTY);

  HostsResource(
      CommittedView view,
      VirtualCapacity capacity,
      FleetStandings standings,
      CurrentCaller caller) {
    this.caller = caller;
    this.view = view;
    this.standings = standings;
    this.capacity = capacity;
  }

  /**
   * A host and its slice.
   *
   * @param slice null: it is part of none
   */
  private record Place(Host host, @Nullable Slice slice) {}

  /** The hosts of a fleet, sorted once for all pages. */
  private record ByName(Fleet fleet, NavigableMap<String, Place> places) {
    static ByName of(Fleet fleet) {
      Map<String, Slice> slices = new HashMap<>();
      fleet.slices().forEach(slice -> slice.hosts().forEach(host -> slices.put(host, slice)));
      NavigableMap<String, Place> places = new TreeMap<>();
      fleet
          .hosts()
          .forEach(host -> places.put(host.name(), new Place(host, slices.get(host.name()))));
      return new ByName(fleet, places);
    }
  }

  /** Hosts, including those of slices. */
  @Operation(operationId = "listHosts", summary = "Lists all hosts by name")
  @GET
  @FromView
  public RestResponse<Page<HostView>> list(
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    String after = cursor == null ? "" : Pages.readName(cursor);
    Set<String> failed = capacity.failedHosts();
    NamespaceScope readable = caller.readable();
    ByName hosts = byName(view.ask(AdmissionState::fleet).value());
    CommittedView.Answer<Page<HostView>> answer =
        view.ask(
            state -> page(hosts.places().tailMap(after, false), limit, state, failed, readable));
    return RestResponse.ResponseBuilder.ok(answer.value())
        .header("Sluice-Sequence", answer.sequence())
        .build();
  }

  @SuppressWarnings("ReferenceEquality") // equals would cost as much as sorting
  private ByName byName(Fleet fleet) {
    ByName last = known;
    if (last.fleet() != fleet) {
      last = ByName.of(fleet);
      known = last;
    }
    return last;
  }

  private Page<HostView> page(
      NavigableMap<String, Place> places,
      int limit,
      AdmissionState state,
      Set<String> failed,
      NamespaceScope readable) {
    List<HostView> items = new ArrayList<>();
    String next = null;
    String last = "";
    for (Place place : places.values()) {
      if (items.size() == limit) {
        next = Pages.writeName(last);
        break;
      }
      items.add(answer(place, state, failed.contains(place.host().name()), readable));
      last = place.host().name();
    }
    return new Page<>(items, next);
  }

  /** A host in a slice has the condition of the slice, unless the host itself has failed. */
  private HostView answer(
      Place place, AdmissionState state, boolean failed, NamespaceScope readable) {
    Host host = place.host();
    Slice slice = place.slice();
    SliceCondition condition =
        slice == null ? SliceCondition.READY : state.slices().standings().condition(slice.name());
    Attempt holder = slice == null ? null : SliceAnswers.user(host.name(), slice.name(), state);
    return new HostView(
        host.name(),
        failed ? FAILED : condition.name(),
        host.labels().entries(),
        quantities(host.capacity()),
        slice == null ? null : slice.name(),
        slice == null ? null : slice.capacityType().word(),
        holder == null ? null : SliceAnswers.seenBy(readable, SliceAnswers.heldBy(holder, state)),
        standings.reason(host),
        outside(host, readable));
  }

  /** The pods on a host that Sluice did not admit; null if there are none. */
  private HostView.@Nullable OutsidePods outside(Host host, NamespaceScope readable) {
    OutsideUse use = standings.outside(host);
    return use == null
        ? null
        : new HostView.OutsidePods(
            use.count(), readable.isAll() ? use.pods() : List.of(), quantities(use.requests()));
  }

  private static Map<String, String> quantities(ResourceList amounts) {
    Map<String, String> quantities = new LinkedHashMap<>();
    amounts
        .amounts()
        .forEach(
            (resource, amount) ->
                quantities.put(resource.value(), Quantities.format(amount, resource)));
    return quantities;
  }
}
