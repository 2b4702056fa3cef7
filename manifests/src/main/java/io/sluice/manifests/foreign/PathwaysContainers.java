// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.foreign;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.fleet.SliceTopology;
import java.util.Map;
import java.util.TreeMap;

/** The containers of Pathways itself in the expansion of a PathwaysJob. */
final class PathwaysContainers {
  private static final String IMAGES = "us-docker.pkg.dev/cloud-tpu-v2-images/pathways/";
  private static final String SERVER = "pathways_server";
  private static final String PROXY = "proxy_server";
  private static final String SIDECAR = "colocated_python_sidecar";
  private static final int PROXY_PORT = 29000;
  private static final int MANAGER_PORT = 29001;
  private static final int WORKER_PORT = 29005;
  private static final int SIDECAR_PORT = 50051;
  private static final String SHARED = "shared-tmp";
  private static final String REPLICATED_JOB =
      "metadata.annotations['jobset.sigs.k8s.io/replicatedjob-name']";
  private static final String JOB_SET = "metadata.annotations['jobset.sigs.k8s.io/jobset-name']";
  private static final Map<String, String> INSTANCES =
      new TreeMap<>(
          Map.of(
              "tpu7x-standard-1t", "tpu7x",
              "tpu7x-standard-4t", "tpu7x",
              "ct6e-standard-1t", "tpuv6e",
              "ct6e-standard-4t", "tpuv6e",
              "ct6e-standard-8t", "tpuv6e1t",
              "ct5p-hightpu-4t", "tpuv5",
              "ct5lp-hightpu-1t", "tpuv5e",
              "ct5lp-hightpu-4t", "tpuv5e",
              "ct5lp-hightpu-8t", "tpuv5e1t",
              "ct4p-hightpu-4t", "tpuv4"));

  private final JsonNode spec;
  private final SliceTopology topology;
  private final long chipsPerHost;

  PathwaysContainers(JsonNode spec, SliceTopology topology, long chipsPerHost) {
    this.spec = spec;
    this.topology = topology;
    this.chipsPerHost = chipsPerHost;
  }

  /**
   * Resource manager and proxy.
   *
   * @param beside whether they run beside the user's program, as sidecars
   */
  void putServers(ArrayNode containers, boolean beside) {
    JsonNode workers = spec.path("workers").path(0);
    ObjectNode manager = component(containers, "pathways-rm", SERVER, "server", beside);
    ArrayNode flags = manager.putArray("args").add("--server_port=" + MANAGER_PORT);
    putScratch(flags);
    flags.add("--node_type=resource_manager");
    flags.add("--instance_count=" + workers.path("numSlices").asInt(1));
    flags.add("--instance_type=" + INSTANCES.get(workers.path("type").asText()) + ":" + topology);
    putFlags(flags, SERVER);
    ArrayNode environment = manager.putArray("env");
    PathwaysExpansion.putKnown(environment, "REPLICATED_JOB_NAME", REPLICATED_JOB);
    PathwaysExpansion.putKnown(environment, "JOBSET_NAME", JOB_SET);
    PathwaysExpansion.putHeadAddress(environment, "HOST_ADDRESS");
    environment.addObject().put("name", "TPU_SKIP_MDS_QUERY").put("value", "true");
    putEnvironment(environment, SERVER);
    putPorts(manager, MANAGER_PORT, MANAGER_PORT + 1);
    putLimits(manager).put("cpu", "8").put("memory", "16G");

    ObjectNode proxy = component(containers, "pathways-proxy", PROXY, "proxy_server", beside);
    ArrayNode proxyFlags = proxy.putArray("args").add("--server_port=" + PROXY_PORT);
    putManagerAddress(proxyFlags);
    putScratch(proxyFlags);
    putFlags(proxyFlags, PROXY);
    int elastic = spec.path("controller").path("elasticSlices").asInt(0);
    if (elastic > 0) {
      proxyFlags.add("--num_elastic_slices=" + elastic);
    }
    ArrayNode proxyEnvironment = proxy.putArray("env");
    PathwaysExpansion.putHeadAddress(proxyEnvironment, "PATHWAYS_HEAD");
    putEnvironment(proxyEnvironment, PROXY);
    putPorts(proxy, PROXY_PORT);
    putLimits(proxy).put("cpu", "16").put("memory", "100G");
  }

  /** Tells the user's program where the proxy is. */
  void lead(ObjectNode pod) {
    String main = spec.path("controller").path("mainContainerName").asText("main");
    for (JsonNode container : pod.path("containers")) {
      if (container.path("name").asText().equals(main)) {
        ArrayNode environment = ((ObjectNode) container).withArrayProperty("env");
        PathwaysExpansion.putHeadAddress(environment, "PATHWAYS_HEAD");
        putValue(environment, "JAX_PLATFORMS", "proxy");
        putValue(environment, "XCLOUD_ENVIRONMENT", "GCP");
        putValue(environment, "JAX_BACKEND_TARGET", "grpc://$(PATHWAYS_HEAD):" + PROXY_PORT);
      }
    }
  }

  /** Containers and volumes of a worker. */
  void putWorker(ObjectNode pod) {
    String sidecarImage = written(SIDECAR).path("image").asText();
    if (!sidecarImage.isEmpty()) {
      ObjectNode sidecar = pod.putArray("initContainers").addObject();
      sidecar.put("name", "colocated-python-sidecar").put("image", sidecarImage);
      sidecar.put("imagePullPolicy", "Always").put("restartPolicy", "Always");
      putValue(sidecar.putArray("env"), "GRPC_SERVER_ADDRESS", "'0.0.0.0:" + SIDECAR_PORT + "'");
      putPorts(sidecar, SIDECAR_PORT);
      putShared(sidecar);
    }
    ObjectNode worker =
        component(pod.putArray("containers"), "pathways-worker", "worker", "server", false);
    ArrayNode flags = worker.putArray("args").add("--server_port=" + WORKER_PORT);
    putManagerAddress(flags);
    putScratch(flags);
    putFlags(flags, "worker");
    ArrayNode environment = worker.putArray("env");
    putValue(environment, "TPU_MIN_LOG_LEVEL", "0");
    putValue(environment, "TF_CPP_MIN_LOG_LEVEL", "0");
    putValue(environment, "XCLOUD_ENVIRONMENT", "GCP");
    PathwaysExpansion.putKnown(
        environment,
        "MEGASCALE_NUM_SLICES",
        "metadata.labels['jobset.sigs.k8s.io/replicatedjob-replicas']");
    PathwaysExpansion.putKnown(environment, "JOBSET_NAME", JOB_SET);
    PathwaysExpansion.putKnown(environment, "REPLICATED_JOB_NAME", REPLICATED_JOB);
    PathwaysExpansion.putKnown(
        environment, "MEGASCALE_SLICE_ID", "metadata.labels['jobset.sigs.k8s.io/job-index']");
    PathwaysExpansion.putHeadAddress(environment, "PATHWAYS_HEAD");
    PathwaysExpansion.putHeadAddress(environment, "MEGASCALE_COORDINATOR_ADDRESS");
    putEnvironment(environment, "worker");
    putPorts(worker, WORKER_PORT, WORKER_PORT + 1, 8471, 8080);
    putShared(worker);
    putLimits(worker).put("google.com/tpu", Long.toString(chipsPerHost));
    ObjectNode volume = pod.putArray("volumes").addObject().put("name", SHARED);
    volume.putObject("hostPath").put("path", "/tmp").put("type", "DirectoryOrCreate");
  }

  private ObjectNode component(
      ArrayNode containers, String name, String component, String image, boolean beside) {
    String version = spec.path("pathwaysVersion").asText("");
    String usual = IMAGES + image + ":" + (version.isEmpty() ? "latest" : version);
    String other = written(component).path("image").asText();
    ObjectNode container = containers.addObject().put("name", name);
    container.put("image", other.isEmpty() ? usual : other).put("imagePullPolicy", "Always");
    if (beside) {
      container.put("restartPolicy", "Always");
    }
    return container;
  }

  /** What the PathwaysJob says of a component; nothing where it says nothing. */
  private JsonNode written(String component) {
    for (JsonNode custom : spec.path("customComponents")) {
      if (custom.path("componentType").asText().equals(component)) {
        return custom;
      }
    }
    return spec.path("customComponents").path(-1);
  }

  private void putFlags(ArrayNode flags, String component) {
    if (spec.path("controller").path("enableMetricsCollection").asBoolean()) {
      flags.add("--enable_metrics_collection=true");
    }
    written(component).path("customFlags").forEach(flag -> flags.add(flag.asText()));
  }

  private void putEnvironment(ArrayNode environment, String component) {
    written(component).path("customEnv").forEach(entry -> environment.add(entry.deepCopy()));
  }

  private void putScratch(ArrayNode flags) {
    flags.add("--gcs_scratch_location=" + spec.path("pathwaysDir").asText());
  }

  private static void putManagerAddress(ArrayNode flags) {
    flags.add("--resource_manager_address=$(PATHWAYS_HEAD):" + MANAGER_PORT);
  }

  private static void putValue(ArrayNode environment, String name, String value) {
    environment.addObject().put("name", name).put("value", value);
  }

  private static void putPorts(ObjectNode container, int... ports) {
    ArrayNode list = container.putArray("ports");
    for (int port : ports) {
      list.addObject().put("containerPort", port);
    }
  }

  private static void putShared(ObjectNode container) {
    container.putArray("volumeMounts").addObject().put("name", SHARED).put("mountPath", "/tmp");
  }

  private static ObjectNode putLimits(ObjectNode container) {
    return container.putObject("resources").putObject("limits");
  }
}
