// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.scheduler.api.FromView;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetStandings;
import io.sluice.scheduler.execution.kubernetes.fleet.OutsideUse;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.Role;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The hosts of the fleet over REST, by name, page by page. */
@Path("/v1/hosts")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Role.VIEWERS)
class HostsResource {
  private static final String FAILED = "FAILED";

  private final CommittedView view;
  private final VirtualCapacity capacity;
  private final FleetStandings standings;
  private volatile ByName known = ByName.of(Fleet.EMPTY);

  HostsResource(CommittedView view, VirtualCapacity capacity, FleetStandings standings) {
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
  @GET
  @FromView
  public Response list(
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    String after = cursor == null ? "" : Pages.readName(cursor);
    Set<String> failed = capacity.failedHosts();
    ByName hosts = byName(view.ask(AdmissionState::fleet).value());
    CommittedView.Answer<ObjectNode> answer =
        view.ask(state -> page(hosts.places().tailMap(after, false), limit, state, failed));
    return Response.ok(answer.value()).header("Sluice-Sequence", answer.sequence()).build();
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

  private ObjectNode page(
      NavigableMap<String, Place> places, int limit, AdmissionState state, Set<String> failed) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode items = json.putArray("items");
    String last = "";
    for (Place place : places.values()) {
      if (items.size() == limit) {
        json.put("nextCursor", Pages.writeName(last));
        break;
      }
      ObjectNode one = json(place, state, failed.contains(place.host().name()));
      putSeen(place.host(), one);
      items.add(one);
      last = place.host().name();
    }
    return json;
  }

  /** Adds the health of the host, and the pods on it that Sluice did not admit. */
  private void putSeen(Host host, ObjectNode json) {
    String reason = standings.reason(host);
    if (reason != null) {
      json.put("reason", reason);
    }
    OutsideUse use = standings.outside(host);
    if (use != null) {
      ObjectNode outside = json.putObject("outside").put("count", use.count());
      use.pods().forEach(outside.putArray("pods")::add);
      ObjectNode requests = outside.putObject("requests");
      use.requests()
          .amounts()
          .forEach(
              (resource, amount) ->
                  requests.put(resource.value(), Quantities.format(amount, resource)));
    }
  }

  /** A host in a slice has the condition of the slice, unless the host itself has failed. */
  private static ObjectNode json(Place place, AdmissionState state, boolean failed) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", place.host().name());
    Slice slice = place.slice();
    String condition =
        slice == null
            ? SliceCondition.READY.name()
            : state.slices().standings().condition(slice.name()).name();
    json.put("condition", failed ? FAILED : condition);
    ObjectNode labels = json.putObject("labels");
    place.host().labels().entries().forEach(labels::put);
    ObjectNode amounts = json.putObject("capacity");
    place
        .host()
        .capacity()
        .amounts()
        .forEach(
            (resource, amount) ->
                amounts.put(resource.value(), Quantities.format(amount, resource)));
    if (slice != null) {
      json.put("slice", slice.name());
      json.put("capacityType", slice.capacityType().word());
      Attempt holder = SliceJson.user(place.host().name(), slice.name(), state);
      if (holder != null) {
        SliceJson.putHolder(holder, json);
      }
    }
    return json;
  }
}
