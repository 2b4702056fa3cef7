// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.state.AdmissionState;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetStandings;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.store.journal.SliceHistory;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Lists slices by name, page by page, so that no answer grows with the fleet. */
final class SliceListing {
  private static final String SEQUENCE = "Sluice-Sequence";

  private final CommittedView view;
  private final VirtualCapacity capacity;
  private final FleetStandings standings;
  private final SliceHistory history;

  SliceListing(
      CommittedView view,
      VirtualCapacity capacity,
      FleetStandings standings,
      SliceHistory history) {
    this.view = view;
    this.standings = standings;
    this.capacity = capacity;
    this.history = history;
  }

  /**
   * Answers with a page of slices, and the cursor of the next one.
   *
   * @param head makes the object that the slices are added to, from the state and the failed hosts
   * @param field of that object which lists the slices
   */
  Response page(
      int limit,
      @Nullable String cursor,
      BiFunction<AdmissionState, Set<String>, ObjectNode> head,
      String field) {
    Set<String> failed = capacity.failedHosts();
    CommittedView.Answer<ObjectNode> answer =
        view.ask(
            state -> {
              ObjectNode json = head.apply(state, failed);
              put(state, failed, cursor, limit, json, field);
              return json;
            });
    putSince(answer.value().path(field), history);
    return Response.ok(answer.value()).header(SEQUENCE, answer.sequence()).build();
  }

  private void put(
      AdmissionState state,
      Set<String> failedHosts,
      @Nullable String cursor,
      int most,
      ObjectNode json,
      String field) {
    ArrayNode items = json.putArray(field);
    String last = "";
    for (Slice slice : state.slices().after(cursor == null ? "" : Pages.readName(cursor))) {
      if (items.size() == most) {
        json.put("nextCursor", Pages.writeName(last));
        break;
      }
      items.add(of(slice, state, failedHosts));
      last = slice.name();
    }
  }

  /** A slice, with the reason why this server's view of its nodes keeps it from being offered. */
  ObjectNode of(Slice slice, AdmissionState state, Set<String> failedHosts) {
    ObjectNode json = SliceJson.of(slice, state, failedHosts);
    String reason = standings.reason(slice);
    if (reason != null) {
      json.put("reason", reason);
    }
    return json;
  }

  /**
   * Adds the start of the allocation to each slice that is held, formed ones included. It may be
   * later than the start of the attempt.
   */
  static void putSince(Iterable<JsonNode> slices, SliceHistory history) {
    List<JsonNode> held = new ArrayList<>();
    for (JsonNode slice : slices) {
      if (slice.has("heldBy")) {
        held.add(slice);
      }
      slice.path("formed").forEach(held::add);
    }
    Map<String, SliceHistory.HeldSince> known =
        history.held(held.stream().map(slice -> slice.path("name").asText()).distinct().toList());
    for (JsonNode slice : held) {
      SliceHistory.HeldSince since = known.get(slice.path("name").asText());
      if (since != null
          && slice.path("heldBy") instanceof ObjectNode holder
          && holder.path("job").asText().equals(since.attempt().job().toString())
          && holder.path("attempt").asInt() == since.attempt().attempt()) {
        holder.put("since", since.from().toString());
        holder.put("sinceGeneration", since.fromGeneration());
      }
    }
  }
}
