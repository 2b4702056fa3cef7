// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import io.sluice.scheduler.execution.kubernetes.adoption.SeenObject.Owner;
import io.sluice.scheduler.execution.kubernetes.adoption.SeenObject.Phase;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.store.cluster.AdoptedObjectRows.Standing;
import org.jspecify.annotations.Nullable;

/**
 * The next step for an object that names a queue. A pure function of the observed object and the
 * stored job.
 */
enum AdoptionStep {
  /** Submit a job for the object's first or next version. */
  ADOPT,
  /** Cancel the job: the user deleted or released the object. */
  CANCEL,
  /** Suspend it: it runs without admission. */
  SUSPEND,
  /** Leave it alone and warn its user: it was created running. */
  LEAVE,
  /** Wait: more pods of its group may come. */
  WAIT,
  NOTHING;

  /**
   * Returns the step for an observed object.
   *
   * @param known the state of its last version's job; null: it was never adopted
   * @param caller name of the caller that cancels jobs of deleted or edited objects
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
      // An attempt's run handles its objects.
      default -> NOTHING;
    };
  }

  private static boolean isPod(SeenObject seen) {
    return seen.ref().kind() == ClusterKind.POD;
  }

  private static AdoptionStep ofUnknown(SeenObject seen) {
    if (isPod(seen) && seen.owner() == Owner.ATTEMPT) {
      // The rest of a group that lost a pod.
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

  /**
   * An object that its user withdrew may be submitted again; a job that another caller ended has
   * ended.
   */
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
