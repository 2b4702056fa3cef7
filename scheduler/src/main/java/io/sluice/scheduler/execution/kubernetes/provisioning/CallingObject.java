// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.execution.kubernetes.fleet.NodeWatch;
import org.jspecify.annotations.Nullable;

/**
 * An object of ours that is in a cluster.
 *
 * @param job for which it was created
 * @param seek the name of what it is a part of
 */
record CallingObject(
    String cluster,
    CallingKind kind,
    String namespace,
    String name,
    String uid,
    JobId job,
    String seek,
    JsonNode object) {
  /** Carried by all of them, with the job's id. */
  static final String SOUGHT_FOR = NodeWatch.CALLING_POD;

  /** Carried by all of them, with the name of what is sought. */
  static final String SEEK = "sluice.io/seek";

  /** Null if somebody else gave it our label. */
  static @Nullable CallingObject of(String cluster, CallingKind kind, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    try {
      return new CallingObject(
          cluster,
          kind,
          metadata.path("namespace").asText(),
          metadata.path("name").asText(),
          metadata.path("uid").asText(),
          JobId.parse(metadata.path("labels").path(SOUGHT_FOR).asText()),
          metadata.path("labels").path(SEEK).asText(),
          object);
    } catch (InvalidValueException notOurs) {
      return null;
    }
  }

  /** Whether it is on its way out. */
  boolean isEnding() {
    return object.path("metadata").hasNonNull("deletionTimestamp");
  }

  /** Whether it is a pod that has ended. */
  boolean isOver() {
    String phase = object.path("status").path("phase").asText();
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  /** Whether it is a pod that was sent to a node. */
  boolean isOnNode() {
    return object.path("spec").hasNonNull("nodeName");
  }
}
