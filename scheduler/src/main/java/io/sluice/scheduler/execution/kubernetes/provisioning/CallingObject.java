// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.execution.kubernetes.fleet.NodeWatch;
import org.jspecify.annotations.Nullable;

/**
 * A provisioning object of Sluice in a cluster.
 *
 * @param job the job for which it was created
 * @param seek name of the want that it is a part of
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
  /** Label of all these objects; its value is the job's id. */
  static final String SOUGHT_FOR = NodeWatch.CALLING_POD;

  /** Label of all these objects; its value is the name of the want. */
  static final String SEEK = "sluice.io/seek";

  /** Reads an object; null if another client set Sluice's label on it. */
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

  /** Whether it is being deleted. */
  boolean isEnding() {
    return object.path("metadata").hasNonNull("deletionTimestamp");
  }

  /** Whether it is a pod that has ended. */
  boolean isOver() {
    String phase = object.path("status").path("phase").asText();
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  /** Whether it is a pod that has a node. */
  boolean isOnNode() {
    return object.path("spec").hasNonNull("nodeName");
  }
}
