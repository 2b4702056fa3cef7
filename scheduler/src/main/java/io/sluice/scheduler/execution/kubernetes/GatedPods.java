// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.manifests.rendering.AdmittedAttempt;
import io.sluice.manifests.rendering.AdoptedEdits;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.kubernetes.ClusterException.Reason;
import java.util.List;

/**
 * The pods of a JobSet that was adopted and could not say itself where they go: each is told so
 * before it may be scheduled.
 */
final class GatedPods {
  private static final String POD_SET = "jobset.sigs.k8s.io/replicatedjob-name";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ClusterWork work;
  private final Launch launch;

  GatedPods(ClusterWork work, Launch launch) {
    this.work = work;
    this.launch = launch;
  }

  /** Lets those be scheduled that are seen; each that comes later is seen too. */
  void release() {
    List<Pod> gated = work.watch().gated(launch.attempt(), launch.generation());
    if (gated.isEmpty()) {
      return;
    }
    AdmittedAttempt admitted = work.rendering().admittedAttempt(launch);
    for (Pod pod : gated) {
      String podSet = pod.getMetadata().getLabels().get(POD_SET);
      if (podSet != null) {
        ObjectNode seen = JSON.valueToTree(pod);
        try {
          JsonNode unused =
              work.cluster()
                  .change(
                      ObjectRef.of(ClusterKind.POD, seen),
                      AdoptedEdits.ungate(seen, admitted.podSet(podSet)));
        } catch (ClusterException failure) {
          if (failure.reason() != Reason.CONFLICT && failure.reason() != Reason.GONE) {
            throw failure;
          }
          // It has changed or is gone: what it is now is seen in a moment.
        }
      }
    }
  }
}
