// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The quota objects of a load, as bodies of requests to apply. */
final class QuotaManifests {
  /** Two objects for each; the server takes 1,000 objects in a body. */
  private static final int QUEUES_PER_BODY = 400;

  private static final String VERSION = "kueue.x-k8s.io/v1beta2";
  private static final String CPU = "cpu";

  private final Load load;
  private final boolean planned;

  private QuotaManifests(Load load, boolean planned) {
    this.load = load;
    this.planned = planned;
  }

  /**
   * Returns the bodies in the order in which they must be applied.
   *
   * @param planned whether queues plan starts; then no job preempts another one of its queue
   */
  static List<byte[]> bodies(Load load, boolean planned) {
    QuotaManifests manifests = new QuotaManifests(load, planned);
    List<byte[]> bodies = new ArrayList<>();
    bodies.add(body(manifests.shared()));
    for (int first = 0; first < load.clusterQueues(); first += QUEUES_PER_BODY) {
      int end = Math.min(first + QUEUES_PER_BODY, load.clusterQueues());
      List<ObjectNode> objects = new ArrayList<>();
      for (int queue = first; queue < end; queue++) {
        objects.add(manifests.clusterQueue(queue));
        objects.add(manifests.localQueue(queue));
      }
      bodies.add(body(objects));
    }
    return bodies;
  }

  private static byte[] body(List<ObjectNode> objects) {
    StringBuilder text = new StringBuilder();
    objects.forEach(object -> text.append(object).append('\n'));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the objects that all queues use. */
  private List<ObjectNode> shared() {
    List<ObjectNode> objects = new ArrayList<>();
    objects.add(object("ResourceFlavor", load.flavor()));
    for (Load.WorkloadClass one : load.classes()) {
      ObjectNode priority = object("WorkloadPriorityClass", load.priorityClass(one));
      objects.add(priority.put("value", one.priority()));
    }
    return objects;
  }

  private ObjectNode clusterQueue(int queue) {
    Load.QueueTerms terms = load.clusterQueue();
    ObjectNode object = object("ClusterQueue", load.queue(queue));
    object
        .withObjectProperty("metadata")
        .putObject("annotations")
        .put("sluice.io/queueing", planned ? "planned" : "kueue");
    ObjectNode spec = object.putObject("spec");
    spec.put("cohortName", load.cohortOf(queue)).put("queueingStrategy", terms.queueingStrategy());
    spec.putObject("namespaceSelector");
    spec.putObject("preemption")
        .put("reclaimWithinCohort", terms.reclaimWithinCohort())
        .put("withinClusterQueue", planned ? "Never" : terms.withinClusterQueue());
    ObjectNode group = spec.putArray("resourceGroups").addObject();
    group.putArray("coveredResources").add(CPU);
    ObjectNode flavor = group.putArray("flavors").addObject().put("name", load.flavor());
    ArrayNode resources = flavor.putArray("resources");
    resources
        .addObject()
        .put("name", CPU)
        .put("nominalQuota", terms.nominalCpu())
        .put("borrowingLimit", terms.borrowingLimitCpu());
    return object;
  }

  private ObjectNode localQueue(int queue) {
    ObjectNode object = object("LocalQueue", load.queue(queue));
    object.withObjectProperty("metadata").put("namespace", load.namespace());
    object.putObject("spec").put("clusterQueue", load.queue(queue));
    return object;
  }

  private static ObjectNode object(String kind, String name) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", VERSION).put("kind", kind).putObject("metadata").put("name", name);
    return object;
  }
}
