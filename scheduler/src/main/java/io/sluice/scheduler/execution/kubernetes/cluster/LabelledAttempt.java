// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.manifests.rendering.AttemptLabels;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.execution.Launch;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The attempt and generation in the labels of an object. */
public record LabelledAttempt(AttemptKey key, int generation) {
  /** Reads labels; null if they name no attempt. */
  public static @Nullable LabelledAttempt of(@Nullable Map<String, String> labels) {
    if (labels == null || !labels.containsKey(AttemptLabels.JOB_ID)) {
      return null;
    }
    try {
      AttemptKey key =
          new AttemptKey(
              new JobId(UUID.fromString(labels.get(AttemptLabels.JOB_ID))),
              Integer.parseInt(labels.getOrDefault(AttemptLabels.INDEX, "0")),
              Integer.parseInt(labels.getOrDefault(AttemptLabels.ATTEMPT, "")));
      return new LabelledAttempt(
          key, Integer.parseInt(labels.getOrDefault(AttemptLabels.GENERATION, "")));
    } catch (IllegalArgumentException unreadable) {
      return null;
    }
  }

  /** Reads an object as an API server returns it. */
  public static @Nullable LabelledAttempt of(JsonNode object) {
    Map<String, String> labels = new TreeMap<>();
    object
        .path("metadata")
        .path("labels")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
    return of(labels);
  }

  /** Whether an object belongs to exactly that generation. */
  public static boolean isOf(JsonNode object, Launch launch) {
    return new LabelledAttempt(launch.attempt(), launch.generation()).equals(of(object));
  }

  /** Returns the label selector for an attempt in any generation. */
  public static String selector(AttemptKey key) {
    String index =
        key.index() == 0
            ? ",!" + AttemptLabels.INDEX
            : "," + AttemptLabels.INDEX + "=" + key.index();
    return "%s=%s,%s=%d%s"
        .formatted(AttemptLabels.JOB_ID, key.job(), AttemptLabels.ATTEMPT, key.attempt(), index);
  }
}
