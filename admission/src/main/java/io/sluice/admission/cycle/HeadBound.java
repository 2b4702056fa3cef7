// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Prospects;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.promise.HeldRoom;
import io.sluice.admission.state.usage.Prospect;
import org.jspecify.annotations.Nullable;

/**
 * An upper bound of the room that the heads of one queue can get. It is lower for heads behind the
 * job for which room is held in the queue.
 *
 * @param all bound of all heads
 * @param holder the job for which room is held; null if there is none
 * @param behind bound of the heads behind it
 */
record HeadBound(Prospect all, @Nullable JobEntry holder, Prospect behind) {
  /** Allows every head. */
  static final HeadBound NONE = of(Prospect.EVERYTHING);

  /** Returns the same bound for all heads. */
  static HeadBound of(Prospect all) {
    return new HeadBound(all, null, all);
  }

  static HeadBound of(AdmissionState state, QueueState queue, Prospects prospects) {
    HeldRoom held = state.plan().heldRoomAlone();
    JobEntry holder = held == null || queue.pending().ranks() ? null : held.holder(queue.node());
    Prospect all = prospects.of(queue);
    return holder == null ? of(all) : new HeadBound(all, holder, prospects.of(queue, true));
  }

  /** Returns the next head with a prospect; null if there is none. */
  @Nullable JobEntry head(QueueState queue) {
    JobEntry head = queue.head(all);
    boolean bound = head != null && holder != null && HeldRoom.holdsBefore(holder, head);
    return bound ? queue.head(behind) : head;
  }
}
