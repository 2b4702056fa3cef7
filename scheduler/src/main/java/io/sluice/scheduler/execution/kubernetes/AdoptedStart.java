// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.rendering.AttemptLabels;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.kubernetes.cluster.Adopted;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.LabelledAttempt;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectDigest;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import java.time.Duration;
import java.util.List;

/**
 * Writes the admitted assignment into an adopted object, which stays suspended. If the object is
 * gone, edited or of another attempt, the start waits until adoption sees that and cancels the job.
 */
final class AdoptedStart {
  private final ClusterWork work;
  private final Launch launch;
  private final AdoptedObject adopted;

  AdoptedStart(ClusterWork work, Launch launch, AdoptedObject adopted) {
    this.work = work;
    this.launch = launch;
    this.adopted = adopted;
  }

  /** Result of a try; it has objects if they are ready or already released. */
  record Placed(List<JsonNode> objects, boolean overtaken) {
    static final Placed NOT_YET = new Placed(List.of(), false);
    static final Placed OVERTAKEN = new Placed(List.of(), true);
  }

  /**
   * Places the object as far as is possible now.
   *
   * @throws ClusterException if the cluster refuses the edit, now or for good
   */
  Placed place() {
    ClusterKind kind = ClusterKind.of(adopted.kind());
    if (kind == ClusterKind.POD) {
      return new AdoptedPodsStart(work, launch, adopted).place();
    }
    JsonNode there = work.cluster().findSame(ObjectRef.of(adopted));
    if (there == null || there.path("metadata").has("deletionTimestamp")) {
      return Placed.NOT_YET;
    }
    ObjectRef found = ObjectRef.of(kind, there);
    if (Adopted.isOver(there)) {
      throw invalid(found.words() + " has ended and cannot run again");
    }
    if (LabelledAttempt.isOf(there, launch)) {
      return new Placed(List.of(there), false);
    }
    // A server that was overtaken must not write past this point: the edit has the committed
    // version as its precondition.
    if (!commit(found)) {
      return Placed.OVERTAKEN;
    }
    LabelledAttempt of = LabelledAttempt.of(there);
    if (of != null) {
      giveBack(found, of);
      return Placed.NOT_YET;
    }
    if (!there.path("spec").path("suspend").asBoolean()
        || !ObjectDigest.of(there).equals(adopted.digest())
        || !isRidOfRemnants(found)) {
      return Placed.NOT_YET;
    }
    try {
      JsonNode ready = Adopted.withoutStartTime(work.cluster(), kind, there);
      JsonNode admitted =
          work.cluster().replace(kind, work.rendering().admitted(launch, (ObjectNode) ready));
      return new Placed(List.of(admitted), false);
    } catch (ClusterException failure) {
      if (failure.reason() == Reason.CONFLICT || failure.reason() == Reason.GONE) {
        return Placed.NOT_YET;
      }
      throw failure;
    }
  }

  private ClusterException invalid(String message) {
    return new ClusterException(Reason.INVALID, message, new IllegalStateException(message));
  }

  private boolean commit(ObjectRef found) {
    return work.rows()
        .commit(
            List.of(
                found.written(work.cluster().name(), launch.attempt(), launch.generation(), true)),
            work.lead().epoch());
  }

  /** The attempt before this one has drained, so only its edits are left of it. */
  private void giveBack(ObjectRef found, LabelledAttempt of) {
    Launch former = launch.of(of.key(), of.generation());
    Suspension suspension = new Suspension(work, former);
    Duration grace = launch.job().limits().gracePeriod();
    suspension.tell(found, grace);
    boolean unused = suspension.isBack(found);
  }

  /** A JobSet does not let its Jobs lose labels, so Jobs with labels of an attempt are deleted. */
  private boolean isRidOfRemnants(ObjectRef found) {
    boolean none = true;
    for (JsonNode child : Suspension.children(work.cluster(), found)) {
      if (child.at("/spec/template/metadata/labels").has(AttemptLabels.JOB_ID)) {
        none = false;
        if (!child.path("metadata").has("deletionTimestamp")) {
          boolean unused =
              work.cluster().delete(ObjectRef.of(ClusterKind.JOB, child), Duration.ZERO);
        }
      }
    }
    return none;
  }
}
