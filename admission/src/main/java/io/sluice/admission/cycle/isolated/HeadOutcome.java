// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle.isolated;

/** What came of a head that was not admitted in a single cycle. */
public enum HeadOutcome {
  /** No flavor fits. */
  NO_FIT,
  /** It would need others to go, and may make nobody go. */
  NO_CANDIDATES,
  /** It may not have anybody evicted now, though it could. */
  GATED,
  /** Another variant of its workload runs on a better flavor. */
  HELD_BACK,
  /** Another variant of its workload runs, and its flavor is not good enough to make it go. */
  MAY_NOT_MIGRATE,
  /** Those before it in the cycle took the room, or its victims. */
  NO_LONGER_FITS,
  /** Others were told to end, and it may have their room. */
  WAITS_FOR_VICTIMS;

  /** Whether trying again changes nothing as long as nothing else does. */
  boolean hopeless() {
    return switch (this) {
      case NO_FIT, NO_CANDIDATES, GATED, MAY_NOT_MIGRATE -> true;
      case HELD_BACK, NO_LONGER_FITS, WAITS_FOR_VICTIMS -> false;
    };
  }
}
