// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.computeclasses.AcceleratorType;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.quota.Topology;
import java.util.List;

/**
 * The JobSet that a PathwaysJob stands for: one pod that leads, with resource manager, proxy and
 * the user's program, and one replicated Job of workers, each of whose replicas is a slice on a
 * node pool of its own. It is what the controller of Google's PathwaysJob makes
 * (google/pathways-job v0.1), with nothing kept between two expansions.
 */
public final class PathwaysExpansion {
  public static final String HEAD = "pathways-head";
  public static final String WORKER = "worker";
  static final List<String> COMPONENTS =
      List.of("pathways_server", "worker", "proxy_server", "colocated_python_sidecar");

  /** The annotation by which the pods of a Job have a domain of nodes for themselves. */
  public static final String EXCLUSIVE = "alpha.jobset.sigs.k8s.io/exclusive-topology";

  private static final String COORDINATOR = "metadata.labels['jobset.sigs.k8s.io/coordinator']";
  private static final int RETRIES_OF_A_HOST = 4;

  private final JsonNode spec;
  private final JsonNode workers;
  private final boolean colocated;
  private final AcceleratorType type;
  private final int hosts;
  private final PathwaysContainers containers;

  private PathwaysExpansion(ObjectNode pathwaysJob) {
    spec = pathwaysJob.path("spec");
    workers = spec.path("workers").path(0);
    colocated = spec.path("controller").path("deploymentMode").asText().startsWith("colocate");
    String machine = workers.path("type").asText();
    SliceTopology topology = SliceTopology.parse(workers.path("topology").asText());
    AcceleratorType known = PathwaysPods.typeOf(machine);
    if (known == null) {
      throw new IllegalArgumentException("no machine type of the catalogue: " + machine);
    }
    type = known;
    hosts = type.hostsPerSlice(topology, machine);
    containers = new PathwaysContainers(spec, topology, topology.chips() / hosts);
  }

  /**
   * The JobSet, which has the PathwaysJob's name.
   *
   * @param pathwaysJob as {@link ForeignReader} takes it
   */
  public static ObjectNode expand(ObjectNode pathwaysJob) {
    return new PathwaysExpansion(pathwaysJob).jobSet(pathwaysJob);
  }

  private ObjectNode jobSet(ObjectNode pathwaysJob) {
    ObjectNode jobSet = JsonNodeFactory.instance.objectNode();
    jobSet.put("apiVersion", ForeignKind.JOB_SET.apiVersion());
    jobSet.put("kind", ForeignKind.JOB_SET.word());
    ObjectNode metadata = jobSet.putObject("metadata");
    for (String field : List.of("name", "generateName", "namespace", "labels", "annotations")) {
      JsonNode value = pathwaysJob.path("metadata").get(field);
      if (value != null) {
        metadata.set(field, value.deepCopy());
      }
    }
    ObjectNode made = jobSet.putObject("spec");
    made.putObject("startupPolicy").put("startupPolicyOrder", "InOrder");
    made.putObject("failurePolicy").put("maxRestarts", spec.path("maxRestarts").asInt(0));
    if (hasProgram()) {
      ObjectNode success = made.putObject("successPolicy").put("operator", "All");
      success.putArray("targetReplicatedJobs").add(HEAD);
    }
    made.putObject("coordinator").put("replicatedJob", HEAD).put("jobIndex", 0).put("podIndex", 0);
    ArrayNode jobs = made.putArray("replicatedJobs");
    putHead(jobs.addObject(), pathwaysJob.path("metadata"));
    putWorkers(jobs.addObject());
    return jobSet;
  }

  private boolean hasProgram() {
    return spec.path("controller").path("template").isObject();
  }

  private static ObjectNode replicatedJob(
      ObjectNode job, String name, int replicas, int pods, int backoffLimit) {
    job.put("name", name).put("replicas", replicas);
    ObjectNode jobSpec = job.putObject("template").putObject("spec");
    jobSpec.put("parallelism", pods).put("completions", pods).put("backoffLimit", backoffLimit);
    return jobSpec.putObject("template");
  }

  private void putHead(ObjectNode job, JsonNode pathwaysMetadata) {
    ObjectNode template = replicatedJob(job, HEAD, 1, 1, 0);
    JsonNode program = spec.path("controller").path("template");
    ObjectNode metadata = template.putObject("metadata");
    putAll(metadata, "labels", program.path("metadata").path("labels"));
    putAll(metadata, "annotations", pathwaysMetadata.path("annotations"));
    putAll(metadata, "annotations", program.path("metadata").path("annotations"));
    if (!colocated) {
      metadata.withObjectProperty("annotations").put(EXCLUSIVE, Topology.HOSTNAME);
    }
    ObjectNode pod = template.putObject("spec");
    FieldWriter.putEntries(pod, program.path("spec"));
    pod.put("hostNetwork", true).put("dnsPolicy", "ClusterFirstWithHostNet");
    if (hasProgram()) {
      ArrayNode before = pod.withArrayProperty("initContainers");
      containers.putServers(before, true);
      containers.lead(pod);
    } else {
      containers.putServers(pod.putArray("containers"), false);
    }
    if (!pod.has("restartPolicy")) {
      pod.put("restartPolicy", "Never");
    }
    if (colocated) {
      joinWorkers(pod, pathwaysMetadata.path("name").asText());
    }
  }

  /** Puts the head on a host of one of the slices, where no other JobSet's pods are. */
  private void joinWorkers(ObjectNode pod, String jobSet) {
    pod.withArrayProperty("tolerations")
        .addObject()
        .put("key", "google.com/tpu")
        .put("operator", "Exists")
        .put("effect", "NoSchedule");
    selectSlices(pod);
    ObjectNode affinity = pod.withObjectProperty("affinity");
    ObjectNode together = term(affinity, "podAffinity");
    expression(together, "jobset.sigs.k8s.io/jobset-name", "In", jobSet);
    ObjectNode apart = term(affinity, "podAntiAffinity");
    expression(apart, "jobset.sigs.k8s.io/jobset-name", "NotIn", jobSet);
    expression(apart, "job-name", "Exists", "");
  }

  private static ObjectNode term(ObjectNode affinity, String field) {
    return affinity
        .withObjectProperty(field)
        .withArrayProperty("requiredDuringSchedulingIgnoredDuringExecution")
        .addObject()
        .put("topologyKey", NodeLabels.NODE_POOL);
  }

  private static void expression(ObjectNode term, String key, String operator, String value) {
    ObjectNode made =
        term.withObjectProperty("labelSelector").withArrayProperty("matchExpressions").addObject();
    made.put("key", key).put("operator", operator);
    if (!value.isEmpty()) {
      made.putArray("values").add(value);
    }
  }

  private void selectSlices(ObjectNode pod) {
    ObjectNode selector = pod.withObjectProperty("nodeSelector");
    FieldWriter.putEntries(selector, workers.path("nodeSelector"));
    selector.put(NodeLabels.TPU_TYPE, type.gkeLabel());
    selector.put(NodeLabels.TPU_TOPOLOGY, workers.path("topology").asText());
  }

  private void putWorkers(ObjectNode job) {
    boolean elastic = spec.path("controller").path("elasticSlices").asInt(0) > 0;
    int restarts = workers.path("maxSliceRestarts").asInt(1);
    int retries = elastic && restarts > 0 ? restarts : RETRIES_OF_A_HOST;
    int slices = workers.path("numSlices").asInt(1);
    ObjectNode template =
        replicatedJob(job, WORKER, slices, hosts, Math.multiplyExact(hosts, retries));
    template.putObject("metadata").putObject("annotations").put(EXCLUSIVE, NodeLabels.NODE_POOL);
    ObjectNode pod = template.putObject("spec");
    containers.putWorker(pod);
    selectSlices(pod);
    for (String field : List.of("terminationGracePeriodSeconds", "priorityClassName")) {
      if (workers.hasNonNull(field)) {
        pod.set(field, workers.get(field).deepCopy());
      }
    }
    pod.put("restartPolicy", "OnFailure");
    pod.put("hostNetwork", true).put("dnsPolicy", "ClusterFirstWithHostNet");
  }

  private static void putAll(ObjectNode owner, String field, JsonNode entries) {
    if (entries.isObject() && !entries.isEmpty()) {
      FieldWriter.putEntries(owner.withObjectProperty(field), entries);
    }
  }

  /** An environment variable with what Kubernetes knows of the pod. */
  static void putKnown(ArrayNode environment, String name, String fieldPath) {
    environment
        .addObject()
        .put("name", name)
        .putObject("valueFrom")
        .putObject("fieldRef")
        .put("fieldPath", fieldPath);
  }

  /** An environment variable with the address of the head. */
  static void putHeadAddress(ArrayNode environment, String name) {
    putKnown(environment, name, COORDINATOR);
  }
}
