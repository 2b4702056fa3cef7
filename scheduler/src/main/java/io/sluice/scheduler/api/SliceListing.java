// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.state.AdmissionState;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.scheduler.store.SliceHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Slices by their names, page by page: no answer grows with the fleet. */
final class SliceListing {
  private SliceListing() {}

  /** Adds a page of slices, and where the next one begins. */
  static void put(
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
      items.add(SliceJson.of(slice, state, failedHosts));
      last = slice.name();
    }
  }

  /**
   * Says of each slice that is held since when it has been, which may be later than its attempt.
   */
  static void putSince(Iterable<JsonNode> slices, SliceHistory history) {
    List<String> names = new ArrayList<>();
    slices.forEach(
        slice -> {
          if (slice.has("heldBy")) {
            names.add(slice.path("name").asText());
          }
        });
    Map<String, SliceHistory.HeldSince> held = history.held(names);
    slices.forEach(
        slice -> {
          SliceHistory.HeldSince since = held.get(slice.path("name").asText());
          if (since != null
              && slice.path("heldBy") instanceof ObjectNode holder
              && holder.path("job").asText().equals(since.attempt().job().toString())
              && holder.path("attempt").asInt() == since.attempt().attempt()) {
            holder.put("since", since.from().toString());
            holder.put("sinceGeneration", since.fromGeneration());
          }
        });
  }
}
