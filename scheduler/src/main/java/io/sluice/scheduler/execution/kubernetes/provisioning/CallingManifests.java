// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.provisioning;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.manifests.field.FieldWriter;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.fleet.Taint;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.scheduler.execution.kubernetes.fleet.Obtainable;
import java.time.Duration;
import java.util.TreeMap;

/**
 * Renders the objects that make a cluster's autoscaler add nodes for a want: placeholder pods or a
 * ProvisioningRequest.
 */
final class CallingManifests {
  /** The priority class of placeholder pods. */
  static final String PRIORITY_CLASS = "sluice-placeholder";

  /** Annotation with the number of a request's try, from 1. */
  static final String TRY = "sluice.io/try";

  /** Below every job, and the lowest priority for which autoscalers add nodes. */
  private static final int PRIORITY = -10;

  private static final String IMAGE = "registry.k8s.io/pause:3.10";
  private static final int NOBODY = 65535;
  private static final String GKE_QUEUED = "queued-provisioning.gke.io";
  private static final String LONGEST_RUN = "maxRunDurationSeconds";

  private final Want want;
  private final Obtainable by;

  CallingManifests(Want want, Obtainable by) {
    this.want = want;
    this.by = by;
  }

  /** Renders the priority class of placeholder pods. */
  static ObjectNode priorityClass() {
    ObjectNode top = JsonNodeFactory.instance.objectNode();
    top.put("apiVersion", "scheduling.k8s.io/v1").put("kind", "PriorityClass");
    top.putObject("metadata").put("name", PRIORITY_CLASS);
    top.put("value", PRIORITY).put("globalDefault", false).put("preemptionPolicy", "Never");
    top.put("description", "Pods that call for nodes and give way to everything.");
    return top;
  }

  /** Returns the name of the placeholder pod for a host of a slice. */
  static String podName(Want want, int slice, int host) {
    return want.name() + "-" + slice + "-" + host;
  }

  /** Renders the placeholder pod for a host of a slice. */
  ObjectNode placeholder(int slice, int host) {
    ObjectNode top = object("v1", "Pod", podName(want, slice, host));
    putPod(top);
    ((ObjectNode) top.path("spec")).put("priorityClassName", PRIORITY_CLASS);
    return top;
  }

  /** Renders the pod template of the request. */
  ObjectNode podTemplate() {
    ObjectNode top = object("v1", "PodTemplate", want.name());
    putPod(top.putObject("template"));
    return top;
  }

  /**
   * Renders the ProvisioningRequest.
   *
   * @param number number of the try, from 1
   */
  ObjectNode request(int number) {
    ObjectNode top = object("autoscaling.x-k8s.io/v1", "ProvisioningRequest", want.name());
    ((ObjectNode) top.path("metadata").path("annotations")).put(TRY, Integer.toString(number));
    ObjectNode spec = top.putObject("spec");
    String className = by.provisioning().className();
    spec.put("provisioningClassName", className);
    TreeMap<String, String> parameters = new TreeMap<>(by.provisioning().parameters().entries());
    Duration longest = want.longestRun();
    if (className.equals(GKE_QUEUED) && longest != null) {
      parameters.putIfAbsent(LONGEST_RUN, Long.toString(longest.toSeconds()));
    }
    if (!parameters.isEmpty()) {
      ObjectNode map = spec.putObject("parameters");
      parameters.forEach(map::put);
    }
    ObjectNode podSet = spec.putArray("podSets").addObject();
    podSet.put("count", want.coming() * want.hosts());
    podSet.putObject("podTemplateRef").put("name", want.name());
    return top;
  }

  private ObjectNode object(String apiVersion, String word, String name) {
    ObjectNode top = JsonNodeFactory.instance.objectNode();
    top.put("apiVersion", apiVersion).put("kind", word);
    ObjectNode metadata = top.putObject("metadata");
    metadata.put("namespace", want.namespace()).put("name", name);
    metadata
        .putObject("labels")
        .put(CallingObject.SOUGHT_FOR, want.rung().job().toString())
        .put(CallingObject.SEEK, want.name());
    metadata
        .putObject("annotations")
        .put("cluster-autoscaler.kubernetes.io/safe-to-evict", "true")
        .put("sluice.io/flavor", by.flavor().meta().name());
    return top;
  }

  private void putPod(ObjectNode owner) {
    ObjectNode pod = owner.putObject("spec");
    pod.put("terminationGracePeriodSeconds", 0).put("restartPolicy", "Always");
    pod.put("automountServiceAccountToken", false).put("enableServiceLinks", false);
    ObjectNode selector = pod.putObject("nodeSelector");
    by.flavor().nodeLabels().entries().forEach(selector::put);
    selector.remove(NodeClusters.CLUSTER);
    selector.put(NodeLabels.TPU_TYPE, AcceleratorCatalogue.BUILT_IN.type(want.type()).gkeLabel());
    selector.put(NodeLabels.TPU_TOPOLOGY, want.topology().toString());
    putTolerations(pod);
    ObjectNode security = pod.putObject("securityContext");
    security.put("runAsNonRoot", true).put("runAsUser", NOBODY);
    security.putObject("seccompProfile").put("type", "RuntimeDefault");
    ObjectNode container = pod.putArray("containers").addObject();
    container.put("name", "placeholder").put("image", IMAGE);
    ObjectNode rights = container.putObject("securityContext");
    rights.put("allowPrivilegeEscalation", false);
    rights.putObject("capabilities").putArray("drop").add("ALL");
    String chips = Long.toString(want.topology().chips() / want.hosts());
    ObjectNode resources = container.putObject("resources");
    resources.putObject("requests").put(ResourceName.TPU.value(), chips);
    resources.putObject("limits").put(ResourceName.TPU.value(), chips);
  }

  /** Adds tolerations: those of the flavor, and one for each taint of its nodes. */
  private void putTolerations(ObjectNode pod) {
    FieldWriter.putTolerations(pod, "tolerations", by.flavor().tolerations());
    ArrayNode tolerations =
        pod.get("tolerations") instanceof ArrayNode there ? there : pod.putArray("tolerations");
    tolerations.addObject().put("key", ResourceName.TPU.value()).put("operator", "Exists");
    for (Taint taint : by.flavor().nodeTaints()) {
      ObjectNode toleration = tolerations.addObject();
      toleration.put("key", taint.key()).put("operator", "Equal").put("value", taint.value());
      toleration.put("effect", taint.effect().word());
    }
  }
}
