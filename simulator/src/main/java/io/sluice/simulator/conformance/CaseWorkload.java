// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.admission.cycle.isolated.JobRelations;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.event.TopologyDelay;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A Workload object of a case. */
final class CaseWorkload {
  private static final String BOOST_SUFFIX = "priority-boost";
  private static final String ALLOWED_FLAVORS = "kueue.x-k8s.io/workload-allowed-resource-flavors";
  private static final String GROUP = "kueue.x-k8s.io/is-group-workload";
  private static final String REPLACES = "kueue.x-k8s.io/workload-slice-replacement-for";
  private static final String PARENT = "kueue.x-k8s.io/concurrent-admission-parent";
  private static final Instant ZERO_TIME = Instant.parse("0001-01-01T00:00:00Z");

  private final JsonNode object;
  private final Gates gates;
  private final ObjectMeta meta;

  CaseWorkload(JsonNode object, Gates gates) {
    this.object = object;
    this.gates = gates;
    this.meta = CaseFields.meta(object);
  }

  JsonNode object() {
    return object;
  }

  /** As {@code namespace/name}. */
  String reference() {
    return meta.namespace() + "/" + meta.name();
  }

  String namespace() {
    return meta.namespace();
  }

  String name() {
    return meta.name();
  }

  String uid() {
    return CaseFields.text(object.path("metadata"), "uid", "");
  }

  String queueName() {
    return CaseFields.text(object.path("spec"), "queueName", "");
  }

  int basePriority() {
    return object.path("spec").path("priority").asInt();
  }

  /** What an annotation adds to the priority; nothing if it is no number or the gate is off. */
  int boost() {
    if (!gates.on("PriorityBoost")) {
      return 0;
    }
    for (Map.Entry<String, String> annotation : meta.annotations().entries().entrySet()) {
      if (annotation.getKey().endsWith(BOOST_SUFFIX)) {
        try {
          return Integer.parseInt(annotation.getValue());
        } catch (NumberFormatException notNumber) {
          return 0;
        }
      }
    }
    return 0;
  }

  /** A condition that is there and true; null otherwise. */
  @Nullable JsonNode condition(String type) {
    for (JsonNode condition : object.path("status").path("conditions")) {
      if (CaseFields.text(condition, "type", "").equals(type)
          && CaseFields.text(condition, "status", "").equals("True")) {
        return condition;
      }
    }
    return null;
  }

  /** Whether it holds quota. */
  boolean holdsQuota() {
    return condition("QuotaReserved") != null && object.path("status").hasNonNull("admission");
  }

  boolean evicted() {
    return condition("Evicted") != null;
  }

  boolean finished() {
    return condition("Finished") != null;
  }

  Instant createdAt() {
    Instant created = CaseFields.instant(object.path("metadata"), "creationTimestamp");
    return created == null ? ZERO_TIME : created;
  }

  /** The ClusterQueue whose quota it holds. */
  String admittedBy() {
    return CaseFields.text(object.path("status").path("admission"), "clusterQueue", "");
  }

  /** What it asks for, without the pods that are done. */
  List<PodSet> podSets() {
    List<PodSet> podSets = new ArrayList<>();
    for (JsonNode podSet : object.path("spec").path("podSets")) {
      PodSet read = PodReading.podSet(podSet, count(podSet));
      podSets.add(read.withRequests(gates.transformations().of(read.requests())));
    }
    return podSets;
  }

  private int count(JsonNode podSet) {
    int count = podSet.path("count").asInt();
    String name = CaseFields.text(podSet, "name", "");
    return Math.max(0, count - reclaimable(name));
  }

  private int reclaimable(String podSet) {
    if (gates.on("ReclaimablePods")) {
      for (JsonNode reclaimable : object.path("status").path("reclaimablePods")) {
        if (CaseFields.text(reclaimable, "name", "").equals(podSet)) {
          return reclaimable.path("count").asInt();
        }
      }
    }
    return 0;
  }

  /** The flavors that it may be given; none named: all. */
  List<String> onlyFlavors() {
    String named = meta.annotations().get(ALLOWED_FLAVORS);
    return named == null || !gates.on("ConcurrentAdmission")
        ? List.of()
        : Arrays.stream(named.split(",", -1)).map(String::strip).toList();
  }

  /** The workload whose place it takes, as {@code namespace/name}; null: nobody's. */
  @Nullable String predecessor() {
    String named = meta.annotations().get(REPLACES);
    boolean ofNamespace = named != null && named.startsWith(meta.namespace() + "/");
    return gates.on("ElasticJobsViaWorkloadSlices") && ofNamespace ? named : null;
  }

  /** Which of several workloads of one parent it is; null: it has no parent. */
  JobRelations.@Nullable Variant variant() {
    List<String> flavors = onlyFlavors();
    for (JsonNode owner : object.path("metadata").path("ownerReferences")) {
      if (gates.on("ConcurrentAdmission")
          && CaseFields.text(owner, "kind", "").equals("Workload")
          && !CaseFields.text(owner, "name", "").isEmpty()) {
        return new JobRelations.Variant(
            CaseFields.text(owner, "uid", ""), flavors.isEmpty() ? "" : flavors.get(0));
      }
    }
    return null;
  }

  /** Whether it is only what its variants stand for, and is never admitted itself. */
  boolean standsForVariants() {
    return gates.on("ConcurrentAdmission") && "true".equals(meta.labels().get(PARENT));
  }

  /** The hosts of its pods that are of no use any more. */
  SortedSet<String> lostHosts() {
    SortedSet<String> lost = new TreeSet<>();
    for (JsonNode host : object.path("status").path("unhealthyNodes")) {
      lost.add(CaseFields.text(host, "name", ""));
    }
    return lost;
  }

  /** Whether it looks for places though it holds quota: its nodes have come, or some were lost. */
  boolean looksForPlaces() {
    JsonNode checks = object.path("status").path("admissionChecks");
    boolean ready = !checks.isEmpty();
    for (JsonNode check : checks) {
      ready &= CaseFields.text(check, "state", "").equals("Ready");
    }
    boolean waits = false;
    boolean lost = false;
    for (PodSetAssignment given : assignments()) {
      TopologyAssignment where = given.topology();
      waits |= where == null && given.delay() == TopologyDelay.PENDING;
      lost |=
          where != null
              && where.domains().stream().anyMatch(at -> lostHosts().contains(at.lowest()));
    }
    boolean admitted = condition("Admitted") != null;
    return !evicted() && !finished() && ((waits && ready && !admitted) || (lost && admitted));
  }

  /** What it asks for, with what its checks add to that once they are ready. */
  List<PodSet> podSetsOfPass() {
    List<PodSet> podSets = new ArrayList<>();
    for (PodSet podSet : podSets()) {
      PodSet updated = podSet;
      for (JsonNode check : object.path("status").path("admissionChecks")) {
        for (JsonNode update : check.path("podSetUpdates")) {
          if (CaseFields.text(check, "state", "").equals("Ready")
              && CaseFields.text(update, "name", "").equals(podSet.name())) {
            updated =
                updated.onNodes(
                    updated.nodeSelector().with(CaseFields.labels(update.path("nodeSelector"))),
                    ObjectReading.tolerations(update.path("tolerations")));
          }
        }
      }
      podSets.add(updated);
    }
    return podSets;
  }

  /** Whether its pods cannot go to other hosts: a single pod that is no group owns it. */
  boolean cannotMove() {
    JsonNode owners = object.path("metadata").path("ownerReferences");
    return gates.on("SkipReassignmentForPodOwnedWorkloads")
        && owners.size() == 1
        && CaseFields.text(owners.get(0), "kind", "").equals("Pod")
        && CaseFields.text(owners.get(0), "apiVersion", "").equals("v1")
        && !"true".equals(meta.annotations().get(GROUP));
  }

  /** What a pod set was given; nothing if it was given nothing. */
  JsonNode admission(String podSet) {
    for (JsonNode assignment : object.path("status").path("admission").path("podSetAssignments")) {
      if (CaseFields.text(assignment, "name", "").equals(podSet)) {
        return assignment;
      }
    }
    return CaseFields.object();
  }

  /** Whether it may have nobody evicted: one of its preemption gates is not open. */
  boolean gated() {
    boolean heeded =
        gates.on("ConcurrentAdmission") || gates.on("MultiKueueOrchestratedPreemption");
    SortedSet<String> open = new TreeSet<>();
    for (JsonNode gate : object.path("status").path("preemptionGates")) {
      if (!CaseFields.text(gate, "position", "").equals("Closed")) {
        open.add(CaseFields.text(gate, "name", ""));
      }
    }
    boolean closed = false;
    for (JsonNode gate : object.path("spec").path("preemptionGates")) {
      closed |= !open.contains(CaseFields.text(gate, "name", ""));
    }
    return heeded && closed;
  }

  /**
   * What it holds.
   *
   * @throws InvalidValueException if the admission contradicts the workload
   */
  List<PodSetAssignment> assignments() {
    List<PodSetAssignment> assignments = new ArrayList<>();
    JsonNode admission = object.path("status").path("admission");
    for (JsonNode assignment : admission.path("podSetAssignments")) {
      assignments.add(assignment(assignment));
    }
    return assignments;
  }

  private PodSetAssignment assignment(JsonNode assignment) {
    String name = CaseFields.text(assignment, "name", "");
    JsonNode podSet = podSetNamed(name);
    int admitted = assignment.path("count").asInt(podSet.path("count").asInt());
    int left = Math.min(admitted, count(podSet));
    ResourceList written = CaseFields.resources(assignment.path("resourceUsage"));
    SortedMap<ResourceName, Long> usage = new TreeMap<>();
    written
        .amounts()
        .forEach((resource, amount) -> usage.put(resource, scaled(amount, left, admitted)));
    SortedMap<ResourceName, String> flavors = new TreeMap<>();
    CaseFields.labels(assignment.path("flavors"))
        .entries()
        .forEach((resource, flavor) -> flavors.put(new ResourceName(resource), flavor));
    flavors.keySet().forEach(resource -> usage.putIfAbsent(resource, 0L));
    String delay = CaseFields.text(assignment, "delayedTopologyRequest", "");
    return new PodSetAssignment(
        name,
        left,
        flavors,
        new ResourceList(usage),
        TopologyReading.assignment(
            assignment.path("topologyAssignment"),
            PodReading.requests(podSet.path("template").path("spec"))),
        delay.isEmpty() ? null : TopologyDelay.of(delay));
  }

  private static long scaled(long amount, int part, int whole) {
    return part == whole || whole == 0
        ? amount
        : BigInteger.valueOf(amount)
            .multiply(BigInteger.valueOf(part))
            .divide(BigInteger.valueOf(whole))
            .longValueExact();
  }

  private JsonNode podSetNamed(String name) {
    for (JsonNode podSet : object.path("spec").path("podSets")) {
      if (CaseFields.text(podSet, "name", "").equals(name)) {
        return podSet;
      }
    }
    throw new InvalidValueException("its admission names the unknown pod set \"" + name + "\"");
  }
}
