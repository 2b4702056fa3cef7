// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Reads the state of users' objects by their kind: ended, suspended. */
public final class Adopted {
  /** Label of a Job with the name of its JobSet. */
  public static final String JOB_SET_NAME = "jobset.sigs.k8s.io/jobset-name";

  private Adopted() {}

  /** Whether an object has ended, successfully or not, and never runs again. */
  public static boolean isOver(JsonNode object) {
    String deployment = object.path("status").path("jobDeploymentStatus").asText();
    return isTrue(object, "Complete")
        || isTrue(object, "Completed")
        || isTrue(object, "Failed")
        || deployment.equals("Complete")
        || deployment.equals("Failed");
  }

  /** Whether a pod has ended, successfully or not. */
  public static boolean isPodOver(JsonNode pod) {
    String phase = pod.path("status").path("phase").asText();
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  /** Whether the object's controller has completed the suspension. */
  public static boolean isSuspended(ClusterKind kind, JsonNode object) {
    JsonNode status = object.path("status");
    return switch (kind) {
      case JOB -> isTrue(object, "Suspended") && status.path("active").asInt() == 0;
      case JOB_SET, TRAIN_JOB -> isTrue(object, "Suspended");
      case RAY_JOB -> {
        String deployment = status.path("jobDeploymentStatus").asText();
        yield deployment.isEmpty() || deployment.equals("Suspended");
      }
      case RAY_CLUSTER -> {
        String state = status.path("state").asText();
        yield state.isEmpty() || state.equals("suspended");
      }
      case POD, PATHWAYS_JOB -> false;
    };
  }

  private static boolean isTrue(JsonNode object, String condition) {
    for (JsonNode one : object.path("status").path("conditions")) {
      if (one.path("type").asText().equals(condition)
          && one.path("status").asText().equals("True")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the object in a state in which its node selectors may change: many versions of
   * Kubernetes allow that only for Jobs that never started.
   */
  public static JsonNode withoutStartTime(Cluster cluster, ClusterKind kind, JsonNode there) {
    if (kind != ClusterKind.JOB || !there.path("status").has("startTime")) {
      return there;
    }
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.putNull("startTime");
    return cluster.changeStatus(ObjectRef.of(kind, there), status);
  }
}
