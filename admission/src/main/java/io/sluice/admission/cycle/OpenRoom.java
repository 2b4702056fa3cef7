// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle;

import io.sluice.admission.quota.FreeQuota;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.promise.HeldRoom;
import org.jspecify.annotations.Nullable;

/** The quota that the heads of a cycle can get, valid until usage or planned starts change. */
final class OpenRoom {
  private final AdmissionState state;
  private final FreeQuota free;
  private boolean dated;
  private @Nullable HeldRoom held;

  OpenRoom(AdmissionState state) {
    this.state = state;
    this.free = state.ledger().free();
    renew();
  }

  /** Looks at usage and planned starts anew. */
  void renew() {
    free.renew();
    dated = state.plan().anyDated();
    held = state.plan().heldRoomAlone();
  }

  /** Returns whether any planned start has a time, so that more than quota decides. */
  boolean dated() {
    return dated;
  }

  FreeQuota free() {
    return free;
  }

  /** Returns what is held for planned starts; null if nothing is, or if more than that decides. */
  @Nullable HeldRoom held() {
    return held;
  }
}
