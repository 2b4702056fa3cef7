// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.policy.CycleRule;
import io.sluice.admission.preemption.Victims;
import io.sluice.admission.state.AdmissionState;
import java.util.function.IntPredicate;

/** Serves the entrants of a cycle in order, each from the room that earlier entrants left. */
public final class Serving {
  private final AdmissionState state;

  public Serving(AdmissionState state) {
    this.state = state;
  }

  /** With blocking admission, stops serving while an admitted workload has not started. */
  private int next(ServingOrder order) {
    return state.awaited().isEmpty() ? order.next() : ServingOrder.NOBODY;
  }

  /** Serves the entrants in the order of the policy, and ends the cycle. */
  public void serve(Entrants entrants, RoomKeeping room) {
    ServingOrder order = new ServingOrder(state, entrants);
    OpenRoom open = new OpenRoom(state);
    IntPredicate fits = number -> entrants.fits(number, open);
    // In a round, an entrant that no longer fits has no other outcome.
    boolean roomOnlyShrinks =
        entrants.roomOnlyShrinks() && state.policy().cycle() == CycleRule.ROUND;
    for (int next = next(order); next != ServingOrder.NOBODY; next = next(order)) {
      CycleEntry entry = entrants.entry(next);
      if ((roomOnlyShrinks || entry.foreseen()) && !fits.test(next)) {
        if (roomOnlyShrinks && !order.anybodyLeft(fits)) {
          break;
        }
      } else {
        serve(room.refresh(entry), room, order);
        open.renew();
      }
    }
    room.end();
  }

  private static void serve(CycleEntry entry, RoomKeeping room, ServingOrder order) {
    Victims victims = entry.victims();
    if (entry.assignment().mode() == AssignmentMode.NO_FIT) {
      room.giveUp(entry);
    } else if (entry.fillers() != null) {
      room.takeBack(entry, entry.fillers());
    } else if (entry.fits()) {
      room.admit(entry);
    } else if (victims == null) {
      room.reserve(entry);
    } else {
      room.evict(entry, victims);
      order.touch(victims);
    }
  }
}
