// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.rendering.AttemptLabels;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.LabelledAttempt;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Resizes a running Ray cluster to the workers of a later generation. The head and the workers on
 * slices that stay continue. The resize commits the object's version under the epoch, then writes
 * with that version as its precondition. It relabels the pods that stay; the generation runs when
 * no pod of an older one is left.
 */
final class WorkerResize implements Starting {
  private static final String NODE_TYPE = "ray.io/node-type";
  private static final String GROUP = "ray.io/group";

  private final ClusterWork work;
  private final Launch launch;
  private final ObjectRef object;

  private WorkerResize(ClusterWork work, Launch launch, ObjectRef object) {
    this.work = work;
    this.launch = launch;
    this.object = object;
  }

  /**
   * Returns the resize to a later generation of an attempt.
   *
   * @param running the attempt's objects so far
   * @return null if the objects must be ended and created anew
   */
  static @Nullable WorkerResize of(ClusterWork work, Launch launch, List<ObjectRef> running) {
    if (launch.generation() == 1
        || launch.documents() == null
        || launch.adopted() != null
        || running.size() != 1) {
      return null;
    }
    ClusterKind kind = running.get(0).kind();
    boolean ray = kind == ClusterKind.RAY_CLUSTER || kind == ClusterKind.RAY_JOB;
    return ray ? new WorkerResize(work, launch, running.get(0)) : null;
  }

  @Override
  public Outcome run(List<ObjectRef> objects) {
    JsonNode there = work.cluster().findSame(object);
    if (there == null
        || there.path("metadata").has("deletionTimestamp")
        || there.path("spec").path("suspend").asBoolean()) {
      return Outcome.IMPOSSIBLE;
    }
    JsonNode cluster = there;
    if (object.kind() == ClusterKind.RAY_JOB) {
      String name = there.path("status").path("rayClusterName").asText();
      cluster = name.isEmpty() ? null : work.cluster().find(named(name));
      if (cluster == null) {
        return Outcome.IMPOSSIBLE;
      }
    }
    try {
      return resize(there, cluster, objects);
    } catch (ClusterException failure) {
      if (failure.reason() == Reason.CONFLICT || failure.reason() == Reason.GONE) {
        return Outcome.LATER;
      }
      if (failure.reason() == Reason.REFUSED || failure.reason() == Reason.INVALID) {
        return Outcome.IMPOSSIBLE;
      }
      throw failure;
    }
  }

  private ObjectRef named(String name) {
    return new ObjectRef(ClusterKind.RAY_CLUSTER, object.namespace(), name, object.uid(), "");
  }

  private Outcome resize(JsonNode there, JsonNode cluster, List<ObjectRef> objects) {
    ObjectNode wanted = work.rendering().render(launch).objects().get(0);
    List<JsonNode> pods =
        work.cluster()
            .list(ClusterKind.POD, object.namespace(), LabelledAttempt.selector(launch.attempt()));
    Set<String> hosts = hosts();
    List<JsonNode> leaving = pods.stream().filter(pod -> leaves(pod, hosts)).toList();
    ObjectRef now = ObjectRef.of(object.kind(), there);
    if (isOlder(there) || isOlder(cluster)) {
      if (!headStays(specOf(object.kind(), there), wanted)) {
        return Outcome.IMPOSSIBLE;
      }
      boolean current =
          work.rows()
              .commit(
                  List.of(
                      now.written(
                          work.cluster().name(), launch.attempt(), launch.generation(), true)),
                  work.lead().epoch());
      if (!current) {
        return Outcome.OVERTAKEN;
      }
      JsonNode written = write(object.kind(), there, wanted, leaving);
      if (object.kind() == ClusterKind.RAY_JOB) {
        JsonNode unused = write(ClusterKind.RAY_CLUSTER, cluster, wanted, leaving);
      }
      // The operator may still create a pod from the version before, so check once more.
      replace(objects, ObjectRef.of(object.kind(), written));
      boolean unused = settle(pods, hosts);
      return Outcome.LATER;
    }
    replace(objects, now);
    return settle(pods, hosts) ? Outcome.RELEASED : Outcome.LATER;
  }

  private static void replace(List<ObjectRef> objects, ObjectRef by) {
    objects.clear();
    objects.add(by);
  }

  private boolean isOlder(JsonNode one) {
    LabelledAttempt of = LabelledAttempt.of(one);
    return of == null || of.generation() < launch.generation();
  }

  private static JsonNode specOf(ClusterKind kind, JsonNode of) {
    JsonNode spec = of.path("spec");
    return kind == ClusterKind.RAY_JOB ? spec.path("rayClusterSpec") : spec;
  }

  /** Whether the head can stay, and the operator does not replace pods whose template changed. */
  private boolean headStays(JsonNode spec, ObjectNode wanted) {
    JsonNode is = spec.at("/headGroupSpec/template/spec");
    JsonNode wants = specOf(object.kind(), wanted).at("/headGroupSpec/template/spec");
    return !spec.at("/upgradeStrategy/type").asText().equals("Recreate")
        && is.path("nodeSelector").equals(wants.path("nodeSelector"))
        && is.path("affinity").equals(wants.path("affinity"));
  }

  /** Writes the changes of this generation, if that is not done. */
  private JsonNode write(
      ClusterKind kind, JsonNode there, ObjectNode wanted, List<JsonNode> leaving) {
    if (!isOlder(there)) {
      return there;
    }
    ObjectNode changed = there.deepCopy();
    JsonNode spec = specOf(kind, changed);
    JsonNode other = specOf(object.kind(), wanted);
    ArrayNode groups = ((ObjectNode) spec).putArray("workerGroupSpecs");
    for (JsonNode group : other.path("workerGroupSpecs")) {
      ObjectNode copy = group.deepCopy();
      ArrayNode names = copy.withObject("/scaleStrategy").putArray("workersToDelete");
      String name = group.path("groupName").asText();
      leaving.stream()
          .filter(pod -> label(pod, GROUP).equals(name))
          .forEach(pod -> names.add(pod.at("/metadata/name").asText()));
      groups.add(copy);
    }
    // A recreated head belongs to this generation.
    ObjectNode labels = ((ObjectNode) spec).withObject("/headGroupSpec/template/metadata/labels");
    for (String label : AttemptLabels.KEYS) {
      JsonNode value = wanted.path("metadata").path("labels").path(label);
      if (value.isTextual()) {
        labels.set(label, value);
        changed.withObject("/metadata/labels").set(label, value);
      }
    }
    return work.cluster().replace(kind, changed);
  }

  /**
   * Whether no pod of an older generation is left; relabels those that stay and deletes the others.
   */
  private boolean settle(List<JsonNode> pods, Set<String> hosts) {
    boolean settled = true;
    for (JsonNode pod : pods) {
      if (isOlder(pod)) {
        ObjectRef one = ObjectRef.of(ClusterKind.POD, pod);
        boolean going = pod.path("metadata").has("deletionTimestamp");
        if (!going && !leaves(pod, hosts)) {
          work.cluster()
              .label(one, AttemptLabels.GENERATION, Integer.toString(launch.generation()));
        } else {
          settled = false;
          boolean unused = going || work.cluster().delete(one, grace());
        }
      }
    }
    return settled;
  }

  private Duration grace() {
    Duration left = launch.earlier().grace();
    return left == null ? launch.job().limits().gracePeriod() : left;
  }

  /**
   * Whether a pod of an older generation must leave: a worker on slices that this generation lacks.
   */
  private boolean leaves(JsonNode pod, Set<String> hosts) {
    return isOlder(pod)
        && label(pod, NODE_TYPE).equals("worker")
        && takesChips(pod)
        && !hosts.contains(pod.at("/spec/nodeName").asText());
  }

  /**
   * Whether a pod takes chips. Workers of groups without slices stay on their nodes, as the head
   * does.
   */
  private static boolean takesChips(JsonNode pod) {
    for (JsonNode container : pod.path("spec").path("containers")) {
      if (container.path("resources").path("limits").has(ResourceName.TPU.value())) {
        return true;
      }
    }
    return false;
  }

  /** Returns the nodes of this generation's slices, by their names in the cluster. */
  private Set<String> hosts() {
    String prefix = work.cluster().name() + ".";
    Set<String> hosts = new TreeSet<>();
    for (String host : work.rendering().hosts(launch)) {
      hosts.add(host);
      if (host.startsWith(prefix)) {
        hosts.add(host.substring(prefix.length()));
      }
    }
    return hosts;
  }

  private static String label(JsonNode pod, String name) {
    return pod.path("metadata").path("labels").path(name).asText();
  }
}
