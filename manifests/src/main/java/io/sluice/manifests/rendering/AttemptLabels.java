// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.Labels;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The labels that identify the attempt and generation of objects and pods; they fence old ones. */
public final class AttemptLabels {
  public static final String JOB_ID = "sluice.io/job-id";
  public static final String INDEX = "sluice.io/index";
  public static final String ATTEMPT = "sluice.io/attempt";
  public static final String GENERATION = "sluice.io/generation";

  /** All of them. */
  public static final List<String> KEYS = List.of(JOB_ID, INDEX, ATTEMPT, GENERATION);

  /** On pods that are gated until it is known which of them goes where. */
  public static final String POD_SET = "sluice.io/pod-set";

  /** The gate that keeps a pod from being scheduled until it is taken away. */
  public static final String GATE = "sluice.io/admission";

  private AttemptLabels() {}

  /** Whether a pod, or a template of pods, has the gate. */
  public static boolean isGated(JsonNode pod) {
    for (JsonNode gate : pod.path("spec").path("schedulingGates")) {
      if (gate.path("name").asText().equals(GATE)) {
        return true;
      }
    }
    return false;
  }

  /** The labels of an attempt's workers; the index is left out where it is 0. */
  public static Labels of(AdmittedAttempt attempt) {
    TreeMap<String, String> labels =
        new TreeMap<>(
            Map.of(
                JOB_ID, attempt.key().job().toString(),
                ATTEMPT, Integer.toString(attempt.key().attempt()),
                GENERATION, Integer.toString(attempt.generation())));
    if (attempt.key().index() > 0) {
      labels.put(INDEX, Integer.toString(attempt.key().index()));
    }
    return Labels.of(labels);
  }
}
