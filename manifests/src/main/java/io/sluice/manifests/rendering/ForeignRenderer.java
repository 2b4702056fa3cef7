// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.rendering;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.manifests.foreign.ElasticRange;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignKind;
import io.sluice.manifests.foreign.PathwaysExpansion;
import io.sluice.manifests.foreign.PodSetPlace;
import io.sluice.manifests.foreign.SubmitterTemplate;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.job.PodSetSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Renders the objects of a foreign job's attempt: its manifest, suspended, with the admission
 * written into it. The same attempt comes out the same whenever it is rendered.
 */
public final class ForeignRenderer {
  private static final String ANNOTATIONS = "/metadata/annotations";

  /** Where the pods of a Job stand in its template. */
  private static final String JOB_TEMPLATE_END = "/spec/template";

  private static final String SUBMITTER_TEMPLATE = "/spec/submitterPodTemplate";
  private static final String SYNCHRONISED = "kueue.x-k8s.io/job-completions-equal-parallelism";
  private static final List<String> SET_BY_SERVERS =
      List.of(
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "managedFields",
          "ownerReferences",
          "finalizers",
          "selfLink");

  private final ForeignJob job;
  private final AdmittedAttempt attempt;
  private final List<ObjectNode> documents = new ArrayList<>();

  private ForeignRenderer(ForeignJob job, AdmittedAttempt attempt) {
    this.job = job;
    this.attempt = attempt;
  }

  /**
   * The objects to create, one but for a group of pods. What belongs beside them is not among them.
   *
   * @throws InvalidValueException if the manifest has no words for what was admitted: pods that
   *     select other nodes, a number of pods that is no number of replicas
   */
  public static List<ObjectNode> render(ForeignJob job, AdmittedAttempt attempt) {
    return new ForeignRenderer(job, attempt).render();
  }

  private List<ObjectNode> render() {
    List<ObjectNode> originals = job.originals();
    for (int number = 0; number < originals.size(); number++) {
      ObjectNode document = originals.get(number);
      document.remove("status");
      ObjectNode metadata = PodTemplateEdits.object(document, "metadata");
      metadata.remove(SET_BY_SERVERS);
      if (metadata.path("annotations") instanceof ObjectNode annotations) {
        // Of the object that the manifest was copied from; API servers refuse it.
        annotations.remove(AdoptedEdits.SUBMITTER);
      }
      name(document, metadata, originals.size() == 1 ? "" : "-" + number);
      countSlices(document);
      ObjectNode made =
          job.kind() == ForeignKind.PATHWAYS_JOB ? PathwaysExpansion.expand(document) : document;
      PodTemplateEdits.label(made, AttemptLabels.of(attempt));
      documents.add(made);
    }
    if (job.kind() == ForeignKind.TRAIN_JOB) {
      overrideTemplates();
      suspend();
    } else {
      job.places().forEach(this::place);
      suspend();
    }
    return documents;
  }

  /**
   * Names the object. Where the names of pods, by which they find each other, are made of it, it is
   * kept in every attempt: an object of that name that is still there keeps the next attempt out.
   */
  private void name(ObjectNode document, ObjectNode metadata, String member) {
    if (!metadata.hasNonNull("name")) {
      String prefix = metadata.path("generateName").asText();
      metadata.remove("generateName");
      metadata.put(
          "name",
          ObjectNames.withEnd(
              prefix, ObjectNames.idEnd(attempt.key()) + member, ObjectNames.NAME_LENGTH_MAX));
    }
    boolean keeps =
        switch (job.kind()) {
          case JOB -> document.path("spec").path("completionMode").asText().equals("Indexed");
          case JOB_SET, RAY_CLUSTER, PATHWAYS_JOB, POD -> true;
          case RAY_JOB, TRAIN_JOB -> false;
        };
    if (!keeps) {
      String kept = metadata.path("name").asText();
      metadata.put("name", ObjectNames.ofAttempt(kept, attempt.key()));
    }
  }

  private void suspend() {
    for (ObjectNode document : documents) {
      if (job.kind() == ForeignKind.POD) {
        new PodTemplateEdits(document).gate();
      } else {
        PodTemplateEdits.object(document, "spec").put("suspend", true);
      }
    }
  }

  private void place(PodSetPlace place) {
    AdmittedPodSet whole = attempt.podSet(place.podSet());
    ObjectNode document = documents.get(place.document());
    count(document, place, whole);
    AdmittedPodSet admitted = apart(document, place, GroupPlaces.of(job, place, whole));
    String pointer = String.valueOf(place.template());
    if (pointer.equals(SUBMITTER_TEMPLATE) && !document.at(pointer).isObject()) {
      String image =
          document
              .at("/spec/rayClusterSpec/headGroupSpec/template/spec/containers/0/image")
              .asText();
      PodTemplateEdits.object(document, "spec")
          .set("submitterPodTemplate", SubmitterTemplate.usual(image));
    }
    ObjectNode template = (ObjectNode) document.at(pointer);
    if (!pointer.isEmpty()) {
      PodTemplateEdits.label(template, AttemptLabels.of(attempt));
    }
    new PodTemplateEdits(template).place(admitted);
    boolean ray = job.kind() == ForeignKind.RAY_CLUSTER || job.kind() == ForeignKind.RAY_JOB;
    if (ray) {
      RayReplicas.put(template, place.podsPerReplica(), admitted.slices(), attempt);
    }
  }

  /**
   * Each pod is told its own slice, where there are several. A JobSet that says itself which pods
   * share a node pool is left to it; so are the groups of Ray, where replicas say it.
   */
  private AdmittedPodSet apart(ObjectNode document, PodSetPlace place, AdmittedPodSet admitted) {
    return switch (job.kind()) {
      case JOB, TRAIN_JOB -> admitted.apart();
      case JOB_SET -> isExclusive(document, place) ? admitted : admitted.apart();
      case RAY_CLUSTER, RAY_JOB, PATHWAYS_JOB, POD -> admitted;
    };
  }

  private static boolean isExclusive(ObjectNode document, PodSetPlace place) {
    String pods = String.valueOf(place.template());
    String ofJob = pods.substring(0, Math.max(0, pods.length() - JOB_TEMPLATE_END.length()));
    return document.at(ANNOTATIONS).has(PathwaysExpansion.EXCLUSIVE)
        || document.at(ofJob + ANNOTATIONS).has(PathwaysExpansion.EXCLUSIVE);
  }

  /** Writes how many there are to be where they are fewer or more than the manifest says. */
  private void count(ObjectNode document, PodSetPlace place, AdmittedPodSet admitted) {
    PodSetSpec asked = podSet(place.podSet());
    if (asked.count() == admitted.count()) {
      return;
    }
    if (place.replicas() == null || admitted.count() % place.podsPerReplica() != 0) {
      throw new InvalidValueException(
          "pod set "
              + place.podSet()
              + " was admitted with "
              + admitted.count()
              + " pods, which a "
              + job.kind().word()
              + " cannot say: it has "
              + place.podsPerReplica()
              + " a replica");
    }
    JsonPointer field = JsonPointer.compile(place.replicas());
    ObjectNode owner = (ObjectNode) document.at(field.head());
    int replicas = admitted.count() / place.podsPerReplica();
    owner.put(field.last().getMatchingProperty(), replicas);
    if (job.kind() == ForeignKind.RAY_JOB || job.kind() == ForeignKind.RAY_CLUSTER) {
      String named = Integer.toString(asked.count() / place.podsPerReplica());
      new PodTemplateEdits((ObjectNode) document.at(String.valueOf(place.template())))
          .tellSlices(named, Integer.toString(replicas));
    }
    if (job.kind() == ForeignKind.JOB
        && document
            .path("metadata")
            .path("annotations")
            .path(SYNCHRONISED)
            .asText()
            .equals("true")) {
      owner.put("completions", replicas);
    }
  }

  /**
   * Has a PathwaysJob name the slices that it was given, of which none is missing then. Fewer of
   * those may be missing later: its least is what it was.
   */
  private void countSlices(ObjectNode document) {
    if (job.kind() != ForeignKind.PATHWAYS_JOB) {
      return;
    }
    for (ElasticRange range : job.elastic()) {
      int named = podSet(range.podSet()).count();
      int hosts = named / range.replicasMax();
      int given = attempt.podSet(range.podSet()).count();
      if (given != named
          && given % hosts == 0
          && document.at("/spec/workers/0") instanceof ObjectNode workers) {
        workers.put("numSlices", given / hosts);
        PodTemplateEdits.object(PodTemplateEdits.object(document, "spec"), "controller")
            .put("elasticSlices", Math.max(0, given / hosts - range.replicasMin()));
      }
    }
  }

  private PodSetSpec podSet(String name) {
    return job.spec().podSets().stream()
        .filter(podSet -> podSet.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** A TrainJob has no templates: it says what is to be other than its runtime has it. */
  private void overrideTemplates() {
    ObjectNode spec = PodTemplateEdits.object(documents.get(0), "spec");
    ArrayNode overrides =
        spec.get("podTemplateOverrides") instanceof ArrayNode there
            ? there
            : spec.putArray("podTemplateOverrides");
    for (PodSetPlace place : job.places()) {
      AdmittedPodSet admitted = attempt.podSet(place.podSet());
      PodSetSpec asked = podSet(place.podSet());
      count(documents.get(0), place, admitted);
      ObjectNode override = overrides.addObject();
      override.putArray("targetJobs").addObject().put("name", place.podSet());
      PodTemplateEdits.label(override, AttemptLabels.of(attempt));
      ObjectNode pod = override.putObject("spec");
      // A list and an affinity that are said again replace those of the runtime.
      if (!admitted.tolerations().isEmpty()) {
        FieldWriter.putTolerations(pod, "tolerations", asked.template().tolerations());
      }
      if (admitted.slices().size() > 1) {
        FieldWriter.putAffinity(pod, asked.template().affinity());
      }
      new PodTemplateEdits(override).place(apart(documents.get(0), place, admitted));
    }
  }
}
