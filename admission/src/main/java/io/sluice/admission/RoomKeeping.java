// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.preemption.Victims;

/** How a cycle gives room to its entries and keeps what it has promised to one from the others. */
interface RoomKeeping {
  /** Serves an entry that fits, if there is still room. */
  void admit(CycleEntry entry);

  /** Makes others go for an entry, if they are still there to be had and their room is enough. */
  void evict(CycleEntry entry, Victims victims);

  /** Holds back what an entry waits for, who may make nobody go. */
  void reserve(CycleEntry entry);

  /** The cycle is over. */
  void end();
}
