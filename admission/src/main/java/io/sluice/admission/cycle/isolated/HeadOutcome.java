// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle.isolated;

/** Why a single cycle did not admit a head. */
public enum HeadOutcome {
  /** No flavor fits. */
  NO_FIT,
  /** It needs preemption, and there are no candidates. */
  NO_CANDIDATES,
  /** It may not preempt yet, although there are victims. */
  GATED,
  /** Another variant of its workload runs on a better flavor. */
  HELD_BACK,
  /** Another variant of its workload runs, and its own flavor does not permit a migration. */
  MAY_NOT_MIGRATE,
  /** Earlier heads took the room or the victims. */
  NO_LONGER_FITS,
  /** Its victims are told to end; their room is promised to it. */
  WAITS_FOR_VICTIMS;

  /** Returns whether a retry is pointless until the state changes. */
  boolean hopeless() {
    return switch (this) {
      case NO_FIT, NO_CANDIDATES, GATED, MAY_NOT_MIGRATE -> true;
      case HELD_BACK, NO_LONGER_FITS, WAITS_FOR_VICTIMS -> false;
    };
  }
}
