// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.queuemodel.event.FailureCause;
import io.sluice.scheduler.execution.kubernetes.cluster.SeenPod;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Measures for how long pods of an attempt lack their images. */
final class ImageWait {
  /** The longest wait for an image before the start fails. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private long sinceNanos;

  /** Returns the trouble with a missing image; null: all images are there. */
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

  /** Whether the image can never be pulled, or is missing for too long. */
  boolean isHopeless(SeenPod.Trouble missing) {
    return missing.hopeless() || System.nanoTime() - sinceNanos > PATIENCE.toNanos();
  }
}
