// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.Topology;
import io.sluice.queuemodel.quota.policy.LabelSelector;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.StopPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The quota objects of a case in the engine's types. A queue of which something is missing is one
 * that admits nothing; whether it selects a namespace is asked of each workload; who holds quota
 * without a LocalQueue has one made for him.
 */
final class CaseQueues {
  private static final String PROVISIONING = "kueue.x-k8s.io/provisioning-request";
  private static final String ELSEWHERE = "kueue.x-k8s.io/multikueue";
  private static final String MADE_FOR = "cluster-queue:";

  private final SortedMap<String, ResourceFlavor> flavors = new TreeMap<>();
  private final SortedMap<String, Cohort> cohorts = new TreeMap<>();
  private final SortedMap<String, ClusterQueue> queues = new TreeMap<>();
  private final SortedMap<QueueKey, LocalQueue> localQueues = new TreeMap<>();
  private final SortedMap<String, @Nullable LabelSelector> selectors = new TreeMap<>();
  private final Admissibility admissibility;
  private final SortedMap<String, Topology> topologies = new TreeMap<>();
  private final SortedMap<String, String> controllers = new TreeMap<>();
  private final boolean placesPods;
  private final SortedMap<String, JsonNode> checksOfQueue = new TreeMap<>();
  private final SortedMap<String, String> lastFlavors = new TreeMap<>();
  private final SortedSet<String> checks = new TreeSet<>();

  CaseQueues(JsonNode objects, Gates gates, CaseFaults faults) {
    this.placesPods = gates.placement().on();
    this.admissibility = new Admissibility(objects);
    for (ResourceFlavor flavor :
        faults.readAll("ResourceFlavor", objects.path("resourceFlavors"), ObjectReading::flavor)) {
      flavors.put(flavor.meta().name(), flavor);
    }
    for (Topology topology :
        faults.readAll("Topology", objects.path("topologies"), TopologyReading::topology)) {
      topologies.put(topology.meta().name(), topology);
    }
    for (JsonNode check : objects.path("admissionChecks")) {
      String name = CaseFields.meta(check).name();
      checks.add(name);
      controllers.put(name, CaseFields.text(check.path("spec"), "controllerName", ""));
    }
    for (Cohort cohort : faults.readAll("Cohort", objects.path("cohorts"), ObjectReading::cohort)) {
      cohorts.put(cohort.meta().name(), cohort);
    }
    openCircles(faults);
    faults
        .readAll("ClusterQueue", objects.path("clusterQueues"), this::queue)
        .forEach(queue -> queues.put(queue.meta().name(), queue));
    for (JsonNode object : objects.path("localQueues")) {
      String target = CaseFields.text(object.path("spec"), "clusterQueue", "");
      LocalQueue local =
          new LocalQueue(
              CaseFields.meta(object),
              target,
              stopPolicy(object),
              ObjectReading.weight(object.path("spec")));
      if (queues.containsKey(target)) {
        localQueues.put(local.queueKey(), local);
      }
    }
  }

  private static StopPolicy stopPolicy(JsonNode localQueue) {
    String written = CaseFields.text(localQueue.path("spec"), "stopPolicy", "None");
    return written.equals("None") ? StopPolicy.NONE : StopPolicy.HOLD;
  }

  /** A cohort that is its own ancestor loses its parent. */
  private void openCircles(CaseFaults faults) {
    for (Cohort cohort : List.copyOf(cohorts.values())) {
      String name = cohort.meta().name();
      if (isOwnAncestor(name)) {
        cohorts.put(
            name, new Cohort(cohort.meta(), null, cohort.resourceGroups(), cohort.fairWeight()));
        faults.add("Cohort " + name, "is its own ancestor");
      }
    }
  }

  private boolean isOwnAncestor(String name) {
    SortedSet<String> seen = new TreeSet<>();
    String at = parentOf(name);
    while (at != null && seen.add(at)) {
      if (at.equals(name)) {
        return true;
      }
      at = parentOf(at);
    }
    return false;
  }

  private @Nullable String parentOf(String cohort) {
    Cohort known = cohorts.get(cohort);
    return known == null ? null : known.parent();
  }

  private ClusterQueue queue(JsonNode object) {
    ClusterQueue read = ObjectReading.queue(object);
    QueuePolicies policies = read.policies();
    selectors.put(read.meta().name(), policies.namespaceSelector());
    String last =
        CaseFields.text(
            object
                .path("spec")
                .path("concurrentAdmissionPolicy")
                .path("migration")
                .path("constraints"),
            "lastAcceptableFlavorName");
    if (last != null) {
      lastFlavors.put(read.meta().name(), last);
    }
    QueuePolicies known =
        policies
            .withNamespaceSelector(LabelSelector.EVERYTHING)
            .withStopPolicy(
                lacksSomething(read, object.path("spec")) ? StopPolicy.HOLD : policies.stopPolicy())
            .withProvisionedFlavors(provisionedFlavors(read));
    return new ClusterQueue(read.meta(), read.cohort(), read.resourceGroups(), known);
  }

  /** The flavors of which a check of the queue makes the nodes, or finds them elsewhere. */
  private List<String> provisionedFlavors(ClusterQueue queue) {
    List<String> provisioned = new ArrayList<>();
    for (ResourceGroup group : queue.resourceGroups()) {
      for (FlavorQuotas quotas : group.flavors()) {
        boolean later = false;
        for (JsonNode check : checksOf(queue.meta().name())) {
          List<String> onFlavors = CaseFields.texts(check.path("onFlavors"));
          String controller = controllers.get(CaseFields.text(check, "name", check.asText()));
          later |=
              (PROVISIONING.equals(controller)
                      && (onFlavors.isEmpty() || onFlavors.contains(quotas.flavor())))
                  || ELSEWHERE.equals(controller);
        }
        if (later) {
          provisioned.add(quotas.flavor());
        }
      }
    }
    return provisioned;
  }

  private JsonNode checksOf(String clusterQueue) {
    return checksOfQueue.getOrDefault(clusterQueue, CaseFields.object());
  }

  /** The last flavor for which a variant may make another go, by ClusterQueue. */
  SortedMap<String, String> lastFlavorsOfMigrations() {
    return lastFlavors;
  }

  /** Checks that a queue asks for where an assignment has one of their flavors. */
  List<String> checksFor(Assignment assignment) {
    SortedSet<String> given = new TreeSet<>();
    assignment.podSets().forEach(podSet -> given.addAll(podSet.flavors().values()));
    List<String> required = new ArrayList<>();
    for (JsonNode check : checksOf(assignment.clusterQueue())) {
      List<String> onFlavors = CaseFields.texts(check.path("onFlavors"));
      if (onFlavors.isEmpty() || !Collections.disjoint(onFlavors, given)) {
        required.add(CaseFields.text(check, "name", check.asText()));
      }
    }
    return required;
  }

  private boolean lacksSomething(ClusterQueue queue, JsonNode spec) {
    boolean flavorLacks = false;
    for (ResourceGroup group : queue.resourceGroups()) {
      for (FlavorQuotas quotas : group.flavors()) {
        ResourceFlavor flavor = flavors.get(quotas.flavor());
        flavorLacks |=
            flavor == null
                || (placesPods
                    && flavor.topology() != null
                    && !topologies.containsKey(flavor.topology()));
      }
    }
    JsonNode strategy = spec.path("admissionChecksStrategy").path("admissionChecks");
    JsonNode asked = strategy.isEmpty() ? spec.path("admissionChecks") : strategy;
    checksOfQueue.put(queue.meta().name(), asked);
    boolean checkLacks = false;
    for (JsonNode check : asked) {
      checkLacks |= !checks.contains(CaseFields.text(check, "name", check.asText()));
    }
    return checkLacks || flavorLacks;
  }

  /** The LocalQueue of a pending workload; null if it, or its ClusterQueue, is not there. */
  @Nullable QueueKey localQueue(CaseWorkload workload) {
    QueueKey key = new QueueKey(workload.namespace(), workload.queueName());
    return localQueues.containsKey(key) ? key : null;
  }

  /** A LocalQueue for work that is in a ClusterQueue; null if that is not there. */
  @Nullable QueueKey localQueueOf(CaseWorkload workload, String clusterQueue) {
    QueueKey own = localQueue(workload);
    if (own != null && clusterQueue.equals(clusterQueueOf(own))) {
      return own;
    }
    if (!queues.containsKey(clusterQueue)) {
      return null;
    }
    QueueKey made = new QueueKey(workload.namespace(), MADE_FOR + clusterQueue);
    ObjectMeta meta = ObjectMeta.named(made.namespace(), made.name());
    localQueues.put(made, new LocalQueue(meta, clusterQueue, StopPolicy.NONE));
    return made;
  }

  private @Nullable String clusterQueueOf(QueueKey key) {
    LocalQueue local = localQueues.get(key);
    return local == null ? null : local.clusterQueue();
  }

  /** Whether a ClusterQueue may give a workload anything at all. */
  boolean mayAdmit(String clusterQueue, CaseWorkload workload) {
    LabelSelector selector = selectors.get(clusterQueue);
    return selector != null && admissibility.admits(workload, selector);
  }

  /** The ClusterQueue of a LocalQueue that is there. */
  String targetOf(QueueKey key) {
    String target = clusterQueueOf(key);
    if (target == null) {
      throw new IllegalStateException("no LocalQueue " + key);
    }
    return target;
  }

  /** All objects, each after those that it names. */
  List<QuotaObject> all() {
    List<QuotaObject> all = new ArrayList<>(topologies.values());
    all.addAll(flavors.values());
    all.addAll(cohorts.values());
    all.addAll(queues.values());
    all.addAll(localQueues.values());
    return all;
  }
}
