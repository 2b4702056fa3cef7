// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import io.sluice.scheduler.execution.kubernetes.adoption.SeenObject.Owner;
import io.sluice.scheduler.execution.kubernetes.adoption.SeenObject.Phase;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.store.cluster.AdoptedObjectRows.Standing;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done about an object that names a queue. A function of what is seen and written.
 */
enum AdoptionStep {
  /** Its first or next version becomes a job. */
  ADOPT,
  /** Its user took it back: its job is cancelled. */
  CANCEL,
  /** It runs though it was not admitted. */
  SUSPEND,
  /** It was created running: it is left alone, and its user told so. */
  LEAVE,
  /** It may be of more objects in a moment. */
  WAIT,
  NOTHING;

  /**
   * The step for an object that is seen.
   *
   * @param known how its last version stands; null: it was never adopted
   * @param caller who cancels the jobs of objects that their users took back or edited
   */
  static AdoptionStep of(SeenObject seen, @Nullable Standing known, String caller) {
    if (seen.owner() == Owner.OTHER || seen.phase() == Phase.OVER) {
      return NOTHING;
    }
    if (known == null) {
      return ofUnknown(seen);
    }
    if (known.state().terminal()) {
      return ofEnded(seen, known, caller);
    }
    if (seen.phase() == Phase.GOING) {
      return known.cancelledBy() == null ? CANCEL : NOTHING;
    }
    return switch (known.state()) {
      case SUBMITTED, PENDING -> ofPending(seen, known);
      // What an attempt has, its run looks after.
      default -> NOTHING;
    };
  }

  private static boolean isPod(SeenObject seen) {
    return seen.ref().kind() == ClusterKind.POD;
  }

  private static AdoptionStep ofUnknown(SeenObject seen) {
    if (isPod(seen) && seen.owner() == Owner.ATTEMPT) {
      // What is left of a group of which a pod is gone.
      return NOTHING;
    }
    return switch (seen.phase()) {
      case SUSPENDED -> ADOPT;
      case RELEASED -> LEAVE;
      case FORMING -> WAIT;
      case GOING, OVER -> NOTHING;
    };
  }

  private static AdoptionStep ofPending(SeenObject seen, Standing known) {
    if (seen.owner() == Owner.ATTEMPT) {
      return NOTHING;
    }
    if (seen.phase() == Phase.RELEASED) {
      // A pod that lost its gate never gets one again.
      return isPod(seen) ? CANCEL : SUSPEND;
    }
    return seen.digest().equals(known.object().digest()) ? NOTHING : ADOPT;
  }

  /** What its user took back he may hand in again; what Sluice's callers ended has ended. */
  private static AdoptionStep ofEnded(SeenObject seen, Standing known, String caller) {
    if (seen.owner() == Owner.ATTEMPT || seen.phase() == Phase.GOING) {
      return NOTHING;
    }
    if (seen.phase() == Phase.RELEASED) {
      return isPod(seen) ? NOTHING : SUSPEND;
    }
    return caller.equals(known.cancelledBy()) ? ADOPT : NOTHING;
  }
}
