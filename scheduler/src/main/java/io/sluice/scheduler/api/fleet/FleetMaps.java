// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.fleet;

import io.sluice.scheduler.api.fleet.DrawnFleet.DrawnSlice;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.loop.CommittedView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The fleet in short, drawn at most once for each batch however many callers look at it, and the
 * last drawings, so that callers are told only what has changed.
 */
final class FleetMaps {
  /** Drawings share what is equal in them, so that one takes some 8 bytes for each slice. */
  private static final int DRAWINGS_MAX = 64;

  private final CommittedView view;
  private final VirtualCapacity capacity;

  /** Revisions of another process are unknown here. */
  private final String process = UUID.randomUUID().toString().substring(0, 8);

  /** The newest last. */
  private final Deque<DrawnFleet> drawings = new ArrayDeque<>();

  private long drawn;
  private long sequence = -1;
  private Set<String> failed = Set.of();

  FleetMaps(CommittedView view, VirtualCapacity capacity) {
    this.view = view;
    this.capacity = capacity;
  }

  /**
   * The drawing of the present state.
   *
   * @param sequence of the last batch that it includes
   */
  record Present(DrawnFleet drawn, long sequence) {}

  /** The drawing of the present state. */
  synchronized Present present() {
    Set<String> failedNow = capacity.failedHosts();
    DrawnFleet last = drawings.peekLast();
    if (last == null || view.sequence() != sequence || !failedNow.equals(failed)) {
      Map<String, DrawnSlice> known = new HashMap<>();
      if (last != null) {
        last.slices().forEach(slice -> known.put(slice.name(), slice));
      }
      var answer =
          view.ask(state -> new FleetDrawing(state, failedNow, known).draw(process + "-" + drawn));
      drawn++;
      sequence = answer.sequence();
      failed = Set.copyOf(failedNow);
      last = answer.value();
      drawings.addLast(last);
      if (drawings.size() > DRAWINGS_MAX) {
        drawings.removeFirst();
      }
    }
    return new Present(last, sequence);
  }

  /** The drawing of a revision; null if there is none, or none any more. */
  synchronized @Nullable DrawnFleet find(@Nullable String revision) {
    for (DrawnFleet one : drawings) {
      if (one.revision().equals(revision)) {
        return one;
      }
    }
    return null;
  }
}
