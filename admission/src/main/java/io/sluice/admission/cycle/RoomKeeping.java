// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.preemption.Victims;

/** How a cycle gives room to its entries and keeps what it has promised to one from the others. */
public interface RoomKeeping {
  /**
   * The entry with its flavors, if they were foreseen only, and with other places for its pods if
   * those before it took the ones that it had.
   */
  CycleEntry refresh(CycleEntry entry);

  /** Serves an entry that fits, if there is still room. */
  void admit(CycleEntry entry);

  /** Takes back fillers for an entry, if they are still there to be had and enough. */
  void takeBack(CycleEntry entry, TakenFillers fillers);

  /** Makes others go for an entry, if they are still there to be had and their room is enough. */
  void evict(CycleEntry entry, Victims victims);

  /** Holds back what an entry waits for, who may make nobody go. */
  void reserve(CycleEntry entry);

  /** Leaves an entry of which nothing can come any more. */
  void giveUp(CycleEntry entry);

  /** The cycle is over. */
  void end();
}
