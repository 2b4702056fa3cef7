// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    return text;
  }

  /**
   * What the controllers of an object and of those that it owns last said of pods that were refused
   * to them; null: they have not complained.
   */
  static @Nullable String refusal(Cluster cluster, ObjectRef object) {
    JsonNode last = null;
    for (JsonNode event : cluster.events(object.namespace(), "FailedCreate")) {
      String about = event.path("involvedObject").path("name").asText();
      boolean own = about.equals(object.name()) || about.startsWith(object.name() + "-");
      if (own && (last == null || at(event).compareTo(at(last)) >= 0)) {
        last = event;
      }
    }
    return last == null
        ? null
        : "cluster %s creates no pods of %s: %s"
            .formatted(cluster.name(), object.words(), last.path("message").asText());
  }

  private static String at(JsonNode event) {
    return event.path("lastTimestamp").asText(event.path("eventTime").asText());
  }
}
