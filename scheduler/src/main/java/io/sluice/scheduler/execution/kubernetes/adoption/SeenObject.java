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
 * An object that may be a user's job, as it was last observed.
 *
 * @param told the object that receives the status: itself, or a pod of a group
 * @param owner owner of the object
 * @param phase phase of the object
 * @param digest digest of the fields that its user may set; meaningless while an assignment is
 *     written into it
 */
record SeenObject(ObjectRef ref, ObjectRef told, Owner owner, Phase phase, String digest) {
  /** The owner of an object. */
  enum Owner {
    /** Its user; nothing of Sluice is written into it. */
    USER,
    /** Its user, with the assignment of an attempt written into it. */
    ATTEMPT,
    /** A controller, or Sluice that created it for an attempt: never adopted. */
    OTHER
  }

  /** The phase of an object. */
  enum Phase {
    SUSPENDED,
    RELEASED,
    /** A group whose pods are being created. */
    FORMING,
    OVER,
    /** Its user has deleted it. */
    GOING
  }

  /** Reads an object as an API server returns it. */
  static SeenObject of(ClusterKind kind, JsonNode object) {
    ObjectRef ref = ObjectRef.of(kind, object);
    return new SeenObject(
        ref, ref, owner(kind, object), phase(kind, object), ObjectDigest.of(object));
  }

  /**
   * Whether an object waits in place of the controller that owns it: the JobSet of a PathwaysJob,
   * which cannot wait itself; a Job of a CronJob; a pod of any owner that is not a job.
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
    // A copied manifest carries labels of the original, but belongs to its user.
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
