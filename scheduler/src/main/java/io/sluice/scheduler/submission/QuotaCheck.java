// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.quota.Booking;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.Cohort;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.DatedObject;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.Outage;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.RoleBinding;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.Topology;
import io.sluice.queuemodel.quota.WorkloadPriorityClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Checks quota objects before they are written, against each other and against the stored ones. */
final class QuotaCheck {
  private static final String DEFAULTS =
      "metadata.annotations[" + ComputeClass.DEFAULTS_ANNOTATION + "]";

  private final Predicate<ObjectKey> exists;
  private final Predicate<String> localQueueExists;
  private final Function<ObjectKey, @Nullable QuotaObject> stored;
  private final List<Violation> violations = new ArrayList<>();
  private final Map<ObjectKey, QuotaObject> written = new TreeMap<>();

  /**
   * A check against stored objects.
   *
   * @param exists whether an object is stored
   * @param localQueueExists whether any namespace has a LocalQueue of that name
   * @param stored a stored object, else null
   */
  QuotaCheck(
      Predicate<ObjectKey> exists,
      Predicate<String> localQueueExists,
      Function<ObjectKey, @Nullable QuotaObject> stored) {
    this.exists = exists;
    this.localQueueExists = localQueueExists;
    this.stored = stored;
  }

  /** All violations of objects that are to be written together. */
  List<Violation> violations(List<Numbered<QuotaObject>> objects) {
    for (Numbered<QuotaObject> numbered : objects) {
      QuotaObject object = numbered.value();
      if (written.put(object.key(), object) != null) {
        violations.add(
            new Violation(
                numbered.document(),
                "metadata.name",
                object.meta().name(),
                object.kind() + " is here twice"));
      }
    }
    for (Numbered<QuotaObject> numbered : objects) {
      numbered.value().fold(new References(numbered.document()));
    }
    return violations;
  }

  private boolean there(ObjectKey key) {
    return written.containsKey(key) || exists.test(key);
  }

  private boolean anyLocalQueue(String name) {
    return localQueueExists.test(name)
        || written.keySet().stream()
            .anyMatch(key -> key.kind() == ObjectKind.LOCAL_QUEUE && key.name().equals(name));
  }

  /** Checks the references of each kind of object, and names their fields. */
  private final class References implements QuotaObject.Fold<Boolean> {
    private final int document;

    References(int document) {
      this.document = document;
    }

    private void missing(String path, String name, ObjectKind kind) {
      violations.add(new Violation(document, path, name, "there is no such " + kind));
    }

    private void flavors(List<ResourceGroup> groups) {
      for (int group = 0; group < groups.size(); group++) {
        for (int at = 0; at < groups.get(group).flavors().size(); at++) {
          String name = groups.get(group).flavors().get(at).flavor();
          if (!there(ObjectKey.of(ObjectKind.RESOURCE_FLAVOR, name))) {
            String path = "spec.resourceGroups[%d].flavors[%d].name".formatted(group, at);
            missing(path, name, ObjectKind.RESOURCE_FLAVOR);
          }
        }
      }
    }

    @Override
    public Boolean topology(Topology topology) {
      QuotaObject before = stored.apply(topology.key());
      if (before instanceof Topology old && !old.levels().equals(topology.levels())) {
        violations.add(
            new Violation(
                document,
                "spec.levels",
                topology.levels().toString(),
                "cannot be changed: they are " + old.levels()));
      }
      return true;
    }

    @Override
    public Boolean resourceFlavor(ResourceFlavor flavor) {
      String topology = flavor.topology();
      if (topology != null && !there(ObjectKey.of(ObjectKind.TOPOLOGY, topology))) {
        missing("spec.topologyName", topology, ObjectKind.TOPOLOGY);
      }
      return true;
    }

    @Override
    public Boolean cohort(Cohort cohort) {
      flavors(cohort.resourceGroups());
      List<String> circle = circle(cohort);
      if (!circle.isEmpty() && cohort.parent() != null) {
        violations.add(
            new Violation(
                document,
                "spec.parentName",
                cohort.parent(),
                "makes the cohort its own ancestor: " + String.join(" -> ", circle)));
      }
      return true;
    }

    @Override
    public Boolean clusterQueue(ClusterQueue queue) {
      flavors(queue.resourceGroups());
      return true;
    }

    @Override
    public Boolean localQueue(LocalQueue queue) {
      if (!there(ObjectKey.of(ObjectKind.CLUSTER_QUEUE, queue.clusterQueue()))) {
        missing("spec.clusterQueue", queue.clusterQueue(), ObjectKind.CLUSTER_QUEUE);
      }
      QuotaObject before = stored.apply(queue.key());
      if (before instanceof LocalQueue old && !old.clusterQueue().equals(queue.clusterQueue())) {
        violations.add(
            new Violation(
                document,
                "spec.clusterQueue",
                queue.clusterQueue(),
                "cannot be changed: it is " + old.clusterQueue()));
      }
      return true;
    }

    private void quota(DatedObject dated) {
      for (int at = 0; at < dated.quota().size(); at++) {
        String name = dated.quota().get(at).flavor();
        if (!there(ObjectKey.of(ObjectKind.RESOURCE_FLAVOR, name))) {
          missing("spec.quota[" + at + "].flavor", name, ObjectKind.RESOURCE_FLAVOR);
        }
      }
    }

    @Override
    public Boolean booking(Booking booking) {
      if (!there(ObjectKey.of(ObjectKind.CLUSTER_QUEUE, booking.clusterQueue()))) {
        missing("spec.clusterQueue", booking.clusterQueue(), ObjectKind.CLUSTER_QUEUE);
      }
      quota(booking);
      return true;
    }

    @Override
    public Boolean outage(Outage outage) {
      quota(outage);
      return true;
    }

    @Override
    public Boolean team(Team team) {
      ObjectKey root = team.root();
      if (root != null && !there(root)) {
        String field = root.kind() == ObjectKind.COHORT ? "spec.cohort" : "spec.clusterQueue";
        missing(field, root.name(), root.kind());
      }
      return true;
    }

    @Override
    public Boolean roleBinding(RoleBinding binding) {
      return true;
    }

    @Override
    public Boolean priorityClass(WorkloadPriorityClass priorityClass) {
      return true;
    }

    @Override
    public Boolean computeClass(ComputeClass computeClass) {
      String queue = computeClass.defaults().queue();
      if (queue != null && !anyLocalQueue(queue)) {
        violations.add(
            new Violation(
                document, DEFAULTS + ".queue", queue, "no namespace has such a LocalQueue"));
      }
      String priorityClass = computeClass.defaults().priorityClass();
      if (priorityClass != null
          && !there(ObjectKey.of(ObjectKind.WORKLOAD_PRIORITY_CLASS, priorityClass))) {
        missing(DEFAULTS + ".priorityClass", priorityClass, ObjectKind.WORKLOAD_PRIORITY_CLASS);
      }
      return true;
    }
  }

  /** The cycle of parents through a cohort, from itself to itself; empty if there is none. */
  private List<String> circle(Cohort cohort) {
    List<String> path = new ArrayList<>(List.of(cohort.meta().name()));
    TreeSet<String> seen = new TreeSet<>(path);
    String parent = cohort.parent();
    while (parent != null) {
      path.add(parent);
      if (!seen.add(parent)) {
        return parent.equals(cohort.meta().name()) ? path : List.of();
      }
      ObjectKey key = ObjectKey.of(ObjectKind.COHORT, parent);
      QuotaObject above = written.containsKey(key) ? written.get(key) : stored.apply(key);
      parent = above instanceof Cohort known ? known.parent() : null;
    }
    return List.of();
  }
}
