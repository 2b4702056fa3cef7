// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.document.Path;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.manifests.field.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the pods of TrainJobs. A TrainJob names a runtime, which is a JobSet with gaps; where the
 * runtime is written beside it, the pods are that JobSet's with the gaps filled. Else what the
 * TrainJob says itself must be enough: how many nodes, and what each of them needs.
 */
final class TrainJobPods {
  static final String CLUSTER_RUNTIME = "ClusterTrainingRuntime";
  static final String RUNTIME = "TrainingRuntime";
  private static final String NODE = "node";
  private static final String STEP = "trainer.kubeflow.org/trainjob-ancestor-step";
  private static final int OVERRIDES_MAX = 64;
  private static final int SECONDS_MAX = 365 * 24 * 3600;

  private final ObjectCursor spec;
  private final JsonNode written;

  private TrainJobPods(ObjectCursor spec, JsonNode written) {
    this.spec = spec;
    this.written = written;
  }

  /**
   * Reads a TrainJob.
   *
   * @param original the same as the cursor is over
   * @param runtimes the runtimes that were written beside it
   */
  static void read(
      ObjectCursor top, ObjectNode original, List<ForeignDocument> runtimes, ForeignPodSets into) {
    ObjectCursor spec = top.objectOrEmpty("spec", "a TrainJob's spec");
    into.limit(spec.whole("activeDeadlineSeconds", 1, SECONDS_MAX));
    spec.refuseUnsupported("podSpecOverrides", "runtimePatches");
    ObjectCursor reference = spec.objectOrEmpty("runtimeRef", "a reference to a runtime");
    String name = reference.requiredText("name", runtime -> runtime);
    String kind = reference.text("kind");
    int before = top.violations().count();
    if (name.isEmpty()) {
      return;
    }
    TrainJobPods pods = new TrainJobPods(spec, original.path("spec"));
    ObjectNode jobSet =
        pods.jobSet(find(runtimes, kind == null ? CLUSTER_RUNTIME : kind, name, top));
    pods.applyOverrides(jobSet);
    if (top.violations().count() > before) {
      return;
    }
    Path path = spec.path("runtimeRef").key(name);
    ObjectCursor cursor = ObjectCursor.open(jobSet, path, "a JobSet", top.violations());
    ForeignPodSets filled = new ForeignPodSets();
    if (cursor != null) {
      JobSetPods.read(cursor, filled);
    }
    for (ForeignPods read : filled.pods()) {
      PodSetPlace place = new PodSetPlace(read.podSet().name(), 0, null, null, 1);
      into.add(read, place, top.violations());
    }
    into.limit(filled.limitSeconds());
  }

  private static @Nullable ForeignDocument find(
      List<ForeignDocument> runtimes, String kind, String name, ObjectCursor top) {
    ObjectCursor metadata = top.objectOrEmpty("metadata", "metadata");
    String namespace = metadata.text("namespace");
    for (ForeignDocument runtime : runtimes) {
      boolean within =
          kind.equals(CLUSTER_RUNTIME)
              || runtime
                  .namespace()
                  .equals(namespace == null ? Schema.DEFAULT_NAMESPACE : namespace);
      if (runtime.kind().equals(kind) && runtime.name().equals(name) && within) {
        return runtime;
      }
    }
    return null;
  }

  /** The JobSet that the runtime makes for the TrainJob. */
  private ObjectNode jobSet(@Nullable ForeignDocument runtime) {
    ObjectNode jobSet = JsonNodeFactory.instance.objectNode();
    ObjectCursor trainer = spec.objectOrEmpty("trainer", "a trainer");
    Integer nodes = trainer.whole("numNodes", 1, ForeignPodSets.PODS_MAX);
    if (runtime == null) {
      if (nodes == null || !trainer.has("resourcesPerNode")) {
        spec.refuse(
            "runtimeRef",
            "is not among the documents: add the runtime, or set both numNodes and"
                + " resourcesPerNode of trainer");
        return jobSet;
      }
      ObjectNode job =
          jobSet.putObject("spec").putArray("replicatedJobs").addObject().put("name", NODE);
      job.withObjectProperty("template").withObjectProperty("spec").withObjectProperty("template");
      fillTrainer(job, nodes);
      return jobSet;
    }
    JsonNode template = runtime.root().path("spec").path("template").path("spec");
    jobSet.set("spec", template.deepCopy());
    JsonNode policy = runtime.root().path("spec").path("mlPolicy").path("numNodes");
    for (JsonNode job : jobSet.path("spec").path("replicatedJobs")) {
      if (job instanceof ObjectNode object && isTrainer(job)) {
        Integer usual = policy.canConvertToInt() ? Integer.valueOf(policy.asInt()) : null;
        fillTrainer(object, nodes == null ? usual : nodes);
      }
    }
    return jobSet;
  }

  private static boolean isTrainer(JsonNode job) {
    String step = job.path("template").path("metadata").path("labels").path(STEP).asText();
    return step.equals("trainer") || (step.isEmpty() && job.path("name").asText().equals(NODE));
  }

  /** Whether nothing but objects, or nothing, stands where these are to be. */
  private static boolean hasRoom(JsonNode owner, String... fields) {
    JsonNode inner = owner;
    for (String field : fields) {
      inner = inner.path(field);
      if (!inner.isObject() && !inner.isNull() && !inner.isMissingNode()) {
        return false;
      }
    }
    return true;
  }

  private void fillTrainer(ObjectNode job, @Nullable Integer nodes) {
    JsonNode listed = job.at("/template/spec/template/spec/containers");
    if (!hasRoom(job, "template", "spec", "template", "spec")
        || !(listed.isArray() || listed.isNull() || listed.isMissingNode())) {
      // Whoever reads the JobSet refuses it with its place.
      return;
    }
    ObjectNode jobSpec = job.withObjectProperty("template").withObjectProperty("spec");
    if (nodes != null) {
      jobSpec.put("parallelism", nodes).put("completions", nodes);
    }
    JsonNode resources = written.path("trainer").path("resourcesPerNode");
    ArrayNode containers =
        jobSpec
            .withObjectProperty("template")
            .withObjectProperty("spec")
            .withArrayProperty("containers");
    if (containers.isEmpty()) {
      containers.addObject().put("name", NODE);
    }
    for (JsonNode container : containers) {
      if (resources.isObject() && container.path("name").asText().equals(NODE)) {
        ((ObjectNode) container).set("resources", resources.deepCopy());
      }
    }
  }

  /** Puts what the TrainJob says of pods over what the runtime says. */
  private void applyOverrides(ObjectNode jobSet) {
    for (JsonNode override : spec.items("podTemplateOverrides", OVERRIDES_MAX)) {
      for (JsonNode job : jobSet.path("spec").path("replicatedJobs")) {
        JsonNode pod = job.path("template").path("spec").path("template");
        if (pod instanceof ObjectNode template && isTarget(override, job.path("name").asText())) {
          override(template, override);
        }
      }
    }
  }

  private static boolean isTarget(JsonNode override, String job) {
    for (JsonNode target : override.path("targetJobs")) {
      if (target.path("name").asText().equals(job)) {
        return true;
      }
    }
    return false;
  }

  private static void override(ObjectNode template, JsonNode override) {
    if (!hasRoom(template, "spec", "nodeSelector")
        || !hasRoom(template, "metadata", "annotations")) {
      return;
    }
    ObjectNode spec = template.withObjectProperty("spec");
    JsonNode selector = override.path("spec").path("nodeSelector");
    if (selector.isObject()) {
      FieldWriter.putEntries(spec.withObjectProperty("nodeSelector"), selector);
    }
    for (String field : List.of("tolerations", "affinity")) {
      JsonNode said = override.path("spec").path(field);
      if (!said.isMissingNode() && !said.isNull()) {
        spec.set(field, said.deepCopy());
      }
    }
    JsonNode annotations = override.path("metadata").path("annotations");
    if (annotations.isObject()) {
      FieldWriter.putEntries(
          template.withObjectProperty("metadata").withObjectProperty("annotations"), annotations);
    }
  }
}
