// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.queuemodel.event.FailureCause;
import io.sluice.scheduler.execution.kubernetes.cluster.SeenPod;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How long pods of an attempt have been without their images. */
final class ImageWait {
  /** For how long a pod may be. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private long sinceNanos;

  /** What is said of an image that is not there; null: of none. */
  SeenPod.@Nullable Trouble missing(List<SeenPod> pods) {
    for (SeenPod pod : pods) {
      SeenPod.Trouble found = pod.trouble();
      if (found != null && found.cause() == FailureCause.START_FAILED && !pod.begun()) {
        sinceNanos = sinceNanos == 0 ? System.nanoTime() : sinceNanos;
        return found;
      }
    }
    sinceNanos = 0;
    return null;
  }

  /** Whether it will not come, or has not for too long. */
  boolean isHopeless(SeenPod.Trouble missing) {
    return missing.hopeless() || System.nanoTime() - sinceNanos > PATIENCE.toNanos();
  }
}
