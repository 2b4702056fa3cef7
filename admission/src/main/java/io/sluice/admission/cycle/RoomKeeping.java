// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.preemption.Victims;

/** Strategy by which a cycle gives room to its entries and protects promised room from others. */
public interface RoomKeeping {
  /**
   * Completes an entry that was only foreseen, and finds other places for its pods if earlier
   * entries took theirs.
   */
  CycleEntry refresh(CycleEntry entry);

  /** Admits an entry that fits, if there is still room. */
  void admit(CycleEntry entry);

  /** Takes back fillers for an entry, if they are unchanged and sufficient. */
  void takeBack(CycleEntry entry, TakenFillers fillers);

  /** Preempts victims for an entry, if they are unchanged and their room is sufficient. */
  void evict(CycleEntry entry, Victims victims);

  /** Reserves capacity for an entry that waits for room and has no victims. */
  void reserve(CycleEntry entry);

  /** Handles an entry that cannot fit. */
  void giveUp(CycleEntry entry);

  /** Ends the cycle. */
  void end();
}
