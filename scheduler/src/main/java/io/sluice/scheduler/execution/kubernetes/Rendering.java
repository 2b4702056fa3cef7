// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.foreign.ForeignJob;
import io.sluice.manifests.foreign.ForeignReader;
import io.sluice.manifests.rendering.AdmittedAttempt;
import io.sluice.manifests.rendering.AdoptedEdits;
import io.sluice.manifests.rendering.ForeignRenderer;
import io.sluice.manifests.rendering.JobRenderer;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Renders the Kubernetes objects of launches and determines their cluster. */
final class Rendering {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TypeReference<Map<String, Object>> SPEC = new TypeReference<>() {};

  private final AdmittedAttempt.Nodes nodes;
  private final AcceleratorCatalogue catalogue;

  Rendering(AdmittedAttempt.Nodes nodes, AcceleratorCatalogue catalogue) {
    this.nodes = nodes;
    this.catalogue = catalogue;
  }

  /**
   * The objects to create in a cluster.
   *
   * @param objects the objects to create suspended; one, except for a group of pods
   * @param beside objects that must exist before
   * @param pods number of pods when all have started
   */
  record Rendered(List<ObjectNode> objects, List<ObjectNode> beside, int pods) {}

  /**
   * Renders the objects of a launch; deterministic for given flavors and slices.
   *
   * @throws InvalidValueException if no object can express what was admitted
   */
  Rendered render(Launch launch) {
    AdmittedAttempt admitted = admittedAttempt(launch);
    int pods = pods(launch);
    String documents = launch.documents();
    if (documents == null) {
      ObjectNode object = JobRenderer.render(launch.job(), admitted, catalogue);
      return new Rendered(List.of(object), List.of(), pods);
    }
    ForeignJob job = foreign(documents);
    List<ObjectNode> objects = ForeignRenderer.render(job, admitted);
    return new Rendered(objects, job.belongings(), pods);
  }

  /** Returns the foreign job that an adopted object was read as. */
  ForeignJob adopted(Launch launch) {
    return foreign(String.valueOf(launch.documents()));
  }

  /**
   * Writes the admitted assignment into an adopted object, which stays suspended.
   *
   * @throws InvalidValueException if it cannot say that
   */
  ObjectNode admitted(Launch launch, ObjectNode there) {
    return AdoptedEdits.admit(there, adopted(launch), admittedAttempt(launch));
  }

  /**
   * Writes the admitted assignment into a gated pod of an adopted group.
   *
   * @param number position of the pod among the submitted ones
   * @throws InvalidValueException if it cannot say that
   */
  ObjectNode admittedPod(Launch launch, ObjectNode there, int number) {
    return AdoptedEdits.admitPod(there, adopted(launch), number, admittedAttempt(launch));
  }

  AdmittedAttempt admittedAttempt(Launch launch) {
    return AdmittedAttempt.of(
        launch.attempt(), launch.generation(), launch.job(), launch.assignment(), withoutCluster());
  }

  /** Returns the hosts of the slices of a launch. */
  List<String> hosts(Launch launch) {
    return launch.assignment().slices().stream()
        .flatMap(slice -> nodes.slice(slice).hosts().stream())
        .toList();
  }

  static int pods(Launch launch) {
    return launch.assignment().podSets().stream().mapToInt(PodSetAssignment::count).sum();
  }

  /** Returns how many pods of a launch may exist now, by the status of their owner. */
  int podsNow(Launch launch, ClusterKind kind, GenericKubernetesResource owner) {
    return StagedGroups.podsOf(kind, owner, runtime(launch, kind), launch.assignment().podSets());
  }

  /** Returns the spec of the JobSet that a TrainJob becomes; null for other kinds or if unknown. */
  private static @Nullable Map<String, Object> runtime(Launch launch, ClusterKind kind) {
    String documents = kind == ClusterKind.TRAIN_JOB ? launch.documents() : null;
    if (documents == null) {
      return null;
    }
    ForeignJob job = foreign(documents);
    JsonNode reference = job.originals().get(0).at("/spec/runtimeRef");
    String named = reference.path("kind").asText("ClusterTrainingRuntime");
    for (ObjectNode beside : job.belongings()) {
      if (beside.path("kind").asText().equals(named)
          && beside.at("/metadata/name").equals(reference.path("name"))) {
        return JSON.convertValue(beside.at("/spec/template/spec"), SPEC);
      }
    }
    return null;
  }

  private static ForeignJob foreign(String documents) {
    try {
      return ForeignReader.readAll(documents).get(0);
    } catch (InvalidManifestException unreadable) {
      throw new InvalidValueException(
          "what was submitted cannot be read: " + unreadable.violations().get(0));
    }
  }

  /** Removes the cluster's label, which nodes do not carry. */
  private AdmittedAttempt.Nodes withoutCluster() {
    return new AdmittedAttempt.Nodes() {
      @Override
      public ResourceFlavor flavor(String name) {
        ResourceFlavor flavor = nodes.flavor(name);
        TreeMap<String, String> labels = new TreeMap<>(flavor.nodeLabels().entries());
        labels.remove(NodeClusters.CLUSTER);
        return new ResourceFlavor(
            flavor.meta(),
            Labels.of(labels),
            flavor.nodeTaints(),
            flavor.tolerations(),
            flavor.topology());
      }

      @Override
      public Slice slice(String name) {
        return nodes.slice(name);
      }

      @Override
      public Labels annotations(String namespace, List<String> slices) {
        return nodes.annotations(namespace, slices);
      }
    };
  }

  /**
   * Returns the cluster that the flavors and slices name; null: they name none.
   *
   * @throws InvalidValueException if they name several, or do not exist
   */
  @Nullable String cluster(Launch launch) {
    TreeSet<String> named = new TreeSet<>();
    for (PodSetAssignment podSet : launch.assignment().podSets()) {
      for (String flavor : podSet.flavors().values()) {
        add(nodes.flavor(flavor).nodeLabels(), named);
      }
    }
    for (String slice : launch.assignment().slices()) {
      add(nodes.slice(slice).labels(), named);
    }
    if (named.size() > 1) {
      throw new InvalidValueException("it was admitted to several clusters: " + named);
    }
    return named.isEmpty() ? null : named.first();
  }

  private static void add(Labels labels, Set<String> named) {
    String cluster = labels.get(NodeClusters.CLUSTER);
    if (cluster != null) {
      named.add(cluster);
    }
  }
}
