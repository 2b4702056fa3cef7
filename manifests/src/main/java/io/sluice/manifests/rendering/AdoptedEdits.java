// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignKind;
import io.sluice.manifests.foreign.PodSetPlace;
import io.sluice.queuemodel.Labels;
import java.util.List;

/**
 * Writes an admission into an adopted object, and reverts it. What the cluster's controllers wrote
 * into it meanwhile stays.
 */
public final class AdoptedEdits {
  /** The annotation that says which object was adopted; a copy of it has another uid. */
  public static final String ADOPTED = "sluice.io/adopted-uid";

  /** The annotation that says who created an object, as {@code KIND/NAME}. */
  public static final String SUBMITTER = "sluice.io/submitter";

  private static final String METADATA = "metadata";
  private static final String LABELS = "labels";
  private static final String ANNOTATIONS = "annotations";
  private static final String SELECTOR = "nodeSelector";
  private static final String TOLERATIONS = "tolerations";
  private static final String AFFINITY = "affinity";
  private static final String GATES = "schedulingGates";
  private static final String CONTAINERS = "containers";
  private static final String COMPLETIONS = "completions";

  private final ForeignJob job;
  private final ObjectNode object;

  private AdoptedEdits(ForeignJob job, ObjectNode there) {
    this.job = job;
    this.object = there.deepCopy();
  }

  /**
   * An object as it is to run, but still suspended.
   *
   * @param there the object as its cluster has it
   * @param job that it was read as
   * @throws io.sluice.queuemodel.quantity.InvalidValueException if the object cannot say what was
   *     admitted
   */
  public static ObjectNode admit(ObjectNode there, ForeignJob job, AdmittedAttempt attempt) {
    AdoptedEdits edits = new AdoptedEdits(job, there);
    ObjectNode wanted = ForeignRenderer.render(job, attempt).get(0);
    PodTemplateEdits.label(edits.object, AttemptLabels.of(attempt));
    PodTemplateEdits.object(PodTemplateEdits.object(edits.object, METADATA), ANNOTATIONS)
        .put(ADOPTED, there.path(METADATA).path("uid").asText());
    for (PodSetPlace place : job.places()) {
      edits.scheduling(place, wanted);
      if (edits.template(place) instanceof ObjectNode template) {
        JsonNode metadata = wanted.at(place.template() + "/" + METADATA);
        for (String field : List.of(LABELS, ANNOTATIONS)) {
          if (metadata.has(field)) {
            FieldWriter.putEntries(
                PodTemplateEdits.object(PodTemplateEdits.object(template, METADATA), field),
                metadata.path(field));
          }
        }
        if (metadata.path(LABELS).has(AttemptLabels.POD_SET)) {
          new PodTemplateEdits(template).hold(place.podSet());
        }
      }
    }
    PodTemplateEdits.object(edits.object, "spec").put("suspend", true);
    return edits.object;
  }

  /**
   * A gated pod as it is to run, but still gated. A cluster lets such a pod be narrowed, and not be
   * widened again.
   *
   * @param there the pod as its cluster has it
   * @param number of the pod among those of the job
   * @throws io.sluice.queuemodel.InvalidValueException if it selects other nodes itself
   */
  public static ObjectNode admitPod(
      ObjectNode there, ForeignJob job, int number, AdmittedAttempt attempt) {
    ObjectNode pod = there.deepCopy();
    PodTemplateEdits.label(pod, AttemptLabels.of(attempt));
    PodTemplateEdits.object(PodTemplateEdits.object(pod, METADATA), ANNOTATIONS)
        .put(ADOPTED, there.path(METADATA).path("uid").asText());
    PodSetPlace place =
        job.places().stream().filter(one -> one.document() == number).findFirst().orElseThrow();
    new PodTemplateEdits(pod).place(GroupPlaces.of(job, place, attempt.podSet(place.podSet())));
    return pod;
  }

  /** An object as its user wrote it, suspended. */
  public static ObjectNode restore(ObjectNode there, ForeignJob job) {
    AdoptedEdits edits = new AdoptedEdits(job, there);
    ObjectNode written = job.originals().get(0);
    edits.withoutOurs(LABELS, AttemptLabels.KEYS);
    edits.withoutOurs(ANNOTATIONS, List.of(ADOPTED));
    for (PodSetPlace place : job.places()) {
      edits.scheduling(place, written);
      JsonNode asked = written.at(String.valueOf(place.template()));
      if (edits.template(place) instanceof ObjectNode template && asked.isObject()) {
        copy(asked, template, METADATA);
        copy(asked.path("spec"), PodTemplateEdits.object(template, "spec"), GATES);
      }
    }
    PodTemplateEdits.object(edits.object, "spec").put("suspend", true);
    return edits.object;
  }

  /** Servers keep an empty map of some kinds, which then is not what its user wrote. */
  private void withoutOurs(String field, List<String> keys) {
    if (object.path(METADATA) instanceof ObjectNode metadata
        && metadata.path(field) instanceof ObjectNode map) {
      map.remove(keys);
      if (map.isEmpty()) {
        metadata.remove(field);
      }
    }
  }

  private JsonNode template(PodSetPlace place) {
    return object.at(String.valueOf(place.template()));
  }

  private static ArrayNode otherGates(JsonNode gates) {
    ArrayNode others = JsonNodeFactory.instance.arrayNode();
    for (JsonNode gate : gates) {
      if (!gate.path("name").asText().equals(AttemptLabels.GATE)) {
        others.add(gate);
      }
    }
    return others;
  }

  /** Has the object say where and how many as another form of it does. */
  private void scheduling(PodSetPlace place, ObjectNode wanted) {
    String pointer = String.valueOf(place.template());
    JsonNode there = object.at(pointer);
    JsonNode asked = wanted.at(pointer);
    if (there instanceof ObjectNode template && asked.isObject()) {
      ObjectNode spec = PodTemplateEdits.object(template, "spec");
      JsonNode own = asked.path("spec");
      copy(own, spec, SELECTOR);
      copy(own, spec, TOLERATIONS);
      if (job.kind() == ForeignKind.RAY_CLUSTER || job.kind() == ForeignKind.RAY_JOB) {
        // They may be told how many slices there are.
        copy(own, spec, CONTAINERS);
      }
      if (job.kind() != ForeignKind.JOB_SET) {
        copy(own, spec, AFFINITY);
      } else if (!own.path(AFFINITY).equals(writtenAffinity(pointer))) {
        // A JobSet keeps its affinity: each pod is given it before it may be scheduled.
        new PodTemplateEdits(template).hold(place.podSet());
      }
    } else {
      replaceWhole(JsonPointer.compile(pointer), asked);
    }
    count(place, wanted);
  }

  private JsonNode writtenAffinity(String pointer) {
    return job.originals().get(0).at(pointer).path("spec").path(AFFINITY);
  }

  /** A template that the user left to the controller. */
  private void replaceWhole(JsonPointer pointer, JsonNode asked) {
    if (object.at(pointer.head()) instanceof ObjectNode owner) {
      String field = pointer.last().getMatchingProperty();
      if (asked.isMissingNode()) {
        owner.remove(field);
      } else {
        owner.set(field, asked);
      }
    }
  }

  private void count(PodSetPlace place, ObjectNode wanted) {
    if (place.replicas() == null) {
      return;
    }
    JsonPointer field = JsonPointer.compile(place.replicas());
    if (object.at(field.head()) instanceof ObjectNode owner) {
      copy(wanted.at(field.head()), owner, field.last().getMatchingProperty());
      if (job.kind() == ForeignKind.JOB && !wanted.at("/spec/" + COMPLETIONS).isMissingNode()) {
        copy(wanted.path("spec"), owner, COMPLETIONS);
      }
    }
  }

  private static void copy(JsonNode from, ObjectNode to, String field) {
    if (from.has(field)) {
      to.set(field, from.get(field));
    } else {
      to.remove(field);
    }
  }

  /**
   * What of a gated pod's spec is to be replaced so that it goes where it was admitted.
   *
   * @param pod as its cluster has it
   */
  public static ObjectNode ungate(ObjectNode pod, AdmittedPodSet admitted) {
    ObjectNode placed = pod.deepCopy();
    new PodTemplateEdits(placed).place(withoutTolerations(admitted));
    ObjectNode change = pod.objectNode();
    copy(placed.path("spec"), change, SELECTOR);
    copy(placed.path("spec"), change, AFFINITY);
    change.set(GATES, otherGates(pod.path("spec").path(GATES)));
    return change;
  }

  /** They are in the template. */
  private static AdmittedPodSet withoutTolerations(AdmittedPodSet admitted) {
    return new AdmittedPodSet(
        admitted.name(),
        admitted.count(),
        admitted.nodeLabels(),
        List.of(),
        admitted.slices(),
        Labels.NONE,
        admitted.domains());
  }
}
