// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.manifests.field.QueueLabels;
import io.sluice.manifests.rendering.AdoptedEdits;
import io.sluice.manifests.rendering.AttemptLabels;
import io.sluice.scheduler.execution.kubernetes.cluster.Adopted;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectDigest;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;

/**
 * An object that could be somebody's job, as it was seen last.
 *
 * @param told the object on which its user is told of it: itself, or a pod of a group
 * @param owner whose it is
 * @param phase how far it is
 * @param digest of what its user may have decided; of one that is written into it says nothing
 */
record SeenObject(ObjectRef ref, ObjectRef told, Owner owner, Phase phase, String digest) {
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
    /** A group whose pods are being created. */
    FORMING,
    OVER,
    /** Its user has deleted it. */
    GOING
  }

  /** Of an object as an API server answers it. */
  static SeenObject of(ClusterKind kind, JsonNode object) {
    ObjectRef ref = ObjectRef.of(kind, object);
    return new SeenObject(
        ref, ref, owner(kind, object), phase(kind, object), ObjectDigest.of(object));
  }

  /**
   * Whether an object waits though a controller made it: of a PathwaysJob, which cannot wait
   * itself, its JobSet does; of a CronJob, each of its Jobs; of all that is no job a pod does.
   */
  private static boolean standsFor(ClusterKind kind, JsonNode owner) {
    String word = owner.path("kind").asText();
    return switch (kind) {
      case JOB -> word.equals(QueueLabels.CRON_JOB);
      case JOB_SET -> word.equals(ClusterKind.PATHWAYS_JOB.word());
      case POD -> !ClusterKind.isWord(word);
      default -> false;
    };
  }

  static Owner owner(ClusterKind kind, JsonNode object) {
    JsonNode metadata = object.path("metadata");
    for (JsonNode owner : metadata.path("ownerReferences")) {
      if (owner.path("controller").asBoolean() && !standsFor(kind, owner)) {
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

  static Phase phase(ClusterKind kind, JsonNode object) {
    if (object.path("metadata").has("deletionTimestamp")) {
      return Phase.GOING;
    }
    if (kind == ClusterKind.POD ? Adopted.isPodOver(object) : Adopted.isOver(object)) {
      return Phase.OVER;
    }
    boolean held =
        kind == ClusterKind.POD
            ? AttemptLabels.isGated(object)
            : object.path("spec").path("suspend").asBoolean();
    return held ? Phase.SUSPENDED : Phase.RELEASED;
  }
}
