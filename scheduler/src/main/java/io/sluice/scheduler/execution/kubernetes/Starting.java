// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import java.util.List;

/** A protocol that starts a generation of an attempt; the caller repeats it until it is done. */
interface Starting {
  /** Result of a try. */
  enum Outcome {
    /** Everything may run. */
    RELEASED,
    /** An object of an older generation or attempt still exists; it was told to end. */
    LATER,
    /** The attempt was told to end, or has a later generation: nothing may run. */
    OVERTAKEN,
    /** This protocol cannot start it; nothing may run yet. */
    IMPOSSIBLE
  }

  /**
   * Advances the start as far as is possible now.
   *
   * @param objects receives the launch's objects that exist by now, whatever the result
   * @throws ClusterException if the cluster refuses the start, now or for good
   * @throws InvalidValueException if no object can express what was admitted
   */
  Outcome run(List<ObjectRef> objects);
}
