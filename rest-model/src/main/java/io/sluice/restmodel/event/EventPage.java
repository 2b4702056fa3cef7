// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.event;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** The next events of the journal. */
public record EventPage(
    @JsonPropertyDescription("The events, the oldest first; empty if none came in time")
        List<WatchedEvent> items,
    @JsonPropertyDescription("Where the next page starts, for the parameter after; always present")
        String nextAfter) {
  public EventPage {
    items = List.copyOf(items);
  }
}
