// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.manifests.rendering.AdoptedEdits;
import io.sluice.manifests.rendering.AttemptLabels;

/**
 * An object that could be somebody's job, as it was seen last.
 *
 * @param owner whose it is
 * @param phase how far it is
 * @param digest of what its user may have decided; of one that is written into it says nothing
 */
record SeenObject(ObjectRef ref, Owner owner, Phase phase, String digest) {
  /** Whose an object is. */
  enum Owner {
    /** Its user's alone. */
    USER,
    /** Its user's, with what an attempt was given written into it. */
    ATTEMPT,
    /** A controller's, or one that was created for an attempt: never adopted. */
    OTHER
  }

  /** How far an object is. */
  enum Phase {
    SUSPENDED,
    RELEASED,
    OVER,
    /** Its user has deleted it. */
    GOING
  }

  /** Of an object as an API server answers it. */
  static SeenObject of(ClusterKind kind, JsonNode object) {
    return new SeenObject(
        ObjectRef.of(kind, object), owner(object), phase(object), ObjectDigest.of(object));
  }

  private static Owner owner(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    for (JsonNode owner : metadata.path("ownerReferences")) {
      if (owner.path("controller").asBoolean()) {
        return Owner.OTHER;
      }
    }
    String adopted = metadata.path("annotations").path(AdoptedEdits.ADOPTED).asText();
    if (!metadata.path("labels").has(AttemptLabels.JOB_ID)) {
      return Owner.USER;
    }
    if (adopted.isEmpty()) {
      return Owner.OTHER;
    }
    // A copy has the labels of what it was copied from, and is nobody's but its user's.
    return adopted.equals(metadata.path("uid").asText()) ? Owner.ATTEMPT : Owner.USER;
  }

  private static Phase phase(JsonNode object) {
    if (object.path("metadata").has("deletionTimestamp")) {
      return Phase.GOING;
    }
    if (Adopted.isOver(object)) {
      return Phase.OVER;
    }
    return object.path("spec").path("suspend").asBoolean() ? Phase.SUSPENDED : Phase.RELEASED;
  }
}
