// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.sluice.scheduler.execution.kubernetes.cluster.SeenPod;
import java.util.List;

/** What is known of why an attempt that was released has not started yet, in words. */
final class StartTrouble {
  private StartTrouble() {}

  /** What its pods say. */
  static String of(List<SeenPod> pods, int expected) {
    long begun = pods.stream().filter(SeenPod::begun).count();
    String text = "%d of its %d pods have started".formatted(begun, expected);
    for (SeenPod pod : pods) {
      SeenPod.Trouble trouble = pod.trouble();
      if (trouble != null && !pod.begun()) {
        return text + "; " + trouble.message();
      }
    }
    for (SeenPod pod : pods) {
      if (pod.unplaced() != null) {
        return text + "; " + pod.unplaced();
      }
    }
    return text;
  }
}
