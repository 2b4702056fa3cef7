// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kube;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** kwok's stages for simulated pods: the image {@code ends:3s} ends a pod after three seconds. */
final class PodStages {
  private PodStages() {}

  /**
   * Writes kwok's own stages, except for the end of pods and for heartbeats: kwok runs without
   * leases, and a node without a heartbeat for 50 s counts as lost.
   */
  static void write(Path manifests, Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    new ProcessBuilder("cp", "-r", manifests + "/.", folder.toString())
        .inheritIO()
        .start()
        .waitFor();
    Path file = folder.resolve("kwok-stages.yaml");
    List<String> stages = new ArrayList<>();
    for (String stage : Files.readString(file).split("(?m)^---$", -1)) {
      if (!stage.contains("name: pod-complete")) {
        stages.add(
            stage
                .replace("durationMilliseconds: 600000", "durationMilliseconds: 10000")
                .replace(
                    "jitterDurationMilliseconds: 610000", "jitterDurationMilliseconds: 15000"));
      }
    }
    stages.add(stage("ends", "Succeeded", 0, "Completed"));
    stages.add(stage("fails", "Failed", 3, "Error"));
    stages.add(stage("oom", "Failed", 137, "OOMKilled"));
    Files.writeString(file, String.join("\n---\n", stages));
  }

  private static String stage(String image, String phase, int code, String reason) {
    return """
    apiVersion: kwok.x-k8s.io/v1alpha1
    kind: Stage
    metadata: {name: pod-%1$s}
    spec:
      resourceRef: {apiGroup: v1, kind: Pod}
      selector:
        matchExpressions:
        - {key: '.metadata.deletionTimestamp', operator: DoesNotExist}
        - {key: '.status.phase', operator: In, values: [Running]}
        - {key: '.spec.containers[0].image | split(":")[0]', operator: In, values: [%1$s]}
      delay:
        durationMilliseconds: 1000
        durationFrom: {expressionFrom: '.spec.containers[0].image | split(":")[1]'}
      next:
        statusTemplate: |
          {{ $now := Now }}
          {{ $root := . }}
          containerStatuses:
          {{ range $index, $item := .spec.containers }}
          - image: {{ $item.image | Quote }}
            name: {{ $item.name | Quote }}
            ready: false
            restartCount: 0
            started: false
            state:
              terminated:
                exitCode: %3$d
                finishedAt: {{ $now | Quote }}
                reason: %4$s
                startedAt: {{ $now | Quote }}
          {{ end }}
          phase: %2$s
    """
        .formatted(image, phase, code, reason);
  }
}
