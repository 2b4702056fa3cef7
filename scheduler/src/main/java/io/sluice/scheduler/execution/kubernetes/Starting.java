// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import java.util.List;

/** A way in which a generation of an attempt comes to run; it is tried until it is done. */
interface Starting {
  /** How far a try came. */
  enum Outcome {
    /** Everything may run. */
    RELEASED,
    /** Something of an older generation or attempt is still there; it was told to end. */
    LATER,
    /** The attempt was told to end, or is of a later generation: nothing may run. */
    OVERTAKEN,
    /** Not in this way; nothing may run yet. */
    IMPOSSIBLE
  }

  /**
   * Goes as far as it can.
   *
   * @param objects takes what is there of the launch by now, whatever comes of it
   * @throws ClusterException if the cluster does not take it, now or ever
   * @throws InvalidValueException if there is nothing to create for what was admitted
   */
  Outcome run(List<ObjectRef> objects);
}
