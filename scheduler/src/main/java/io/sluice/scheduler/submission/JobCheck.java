// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.admission.topology.SliceForms;
import io.sluice.computeclasses.RungChoice;
import io.sluice.computeclasses.SelectedNodes;
import io.sluice.manifests.containers.ContainerRefusals;
import io.sluice.manifests.containers.PodRuleCheck;
import io.sluice.manifests.document.Violation;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.manifests.foreign.ForeignReader;
import io.sluice.manifests.quota.QueueTimeLimits;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.PodSetSpec;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceTransformations;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.ComputeClass.WhenUnsatisfiable;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.Team;
import io.sluice.queuemodel.quota.WorkloadPriorityClass;
import io.sluice.queuemodel.quota.policy.PodRules;
import io.sluice.scheduler.store.quota.QuotaLookup;
import io.sluice.scheduler.submission.team.CeilingCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Checks a job against the stored queues and classes, and against the fleet. */
public final class JobCheck {
  private static final int DEFAULT_PRIORITY = 0;

  private final Supplier<Fleet> fleet;
  private final ResourceTransformations resources;
  private final boolean containersAsProcesses;

  /** A check without resource transformations, where only clusters run containers. */
  public JobCheck(Supplier<Fleet> fleet) {
    this(fleet, ResourceTransformations.NONE, false);
  }

  /**
   * A check.
   *
   * @param resources conversion of requests to amounts of quota
   * @param containersAsProcesses whether a server without a cluster runs containers as processes
   */
  public JobCheck(
      Supplier<Fleet> fleet, ResourceTransformations resources, boolean containersAsProcesses) {
    this.fleet = fleet;
    this.resources = resources;
    this.containersAsProcesses = containersAsProcesses;
  }

  /** The shape of a valid job; it is fixed at submission. */
  WorkloadShape shape(JobSpec job) {
    return job.shape().transformed(resources);
  }

  /**
   * Refuses amounts that overflow after the transformations, though the requests themselves do not.
   */
  private @Nullable Violation tooMuch(int document, JobSpec job) {
    try {
      ResourceList total = ResourceList.NONE;
      for (PodSet podSet : shape(job).podSets()) {
        total = total.plus(podSet.exactTotal());
      }
      return null;
    } catch (InvalidValueException overflow) {
      return new Violation(
          document,
          "spec.podSets",
          "",
          "ask for too much, as the server's configuration counts it: " + overflow.getMessage());
    }
  }

  /**
   * The objects that a job names, and the team of its namespace; without its queue if its class
   * supplies the queue.
   */
  static List<ObjectKey> references(JobSpec job) {
    List<ObjectKey> keys = new ArrayList<>();
    keys.add(QuotaLookup.teamOf(job.meta().namespace()));
    if (job.queued()) {
      keys.add(job.queueKey().objectKey());
    }
    String className = job.priority().className();
    if (className != null) {
      keys.add(classKey(className));
    }
    if (job.computeClass() != null) {
      keys.add(ladderKey(job.computeClass()));
    }
    return keys;
  }

  private static ObjectKey ladderKey(String name) {
    return ObjectKey.of(ObjectKind.COMPUTE_CLASS, name);
  }

  /**
   * The ClusterQueue of a job that names a compute class or selects nodes; empty for other jobs.
   */
  static List<ObjectKey> queueOf(JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    return job.queued()
            && (job.computeClass() != null || selects(job))
            && objects.get(job.queueKey().objectKey()) instanceof LocalQueue local
        ? List.of(ObjectKey.of(ObjectKind.CLUSTER_QUEUE, local.clusterQueue()))
        : List.of();
  }

  /** The flavors of that ClusterQueue. */
  static List<ObjectKey> flavorsOf(JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    List<ObjectKey> flavors = new ArrayList<>();
    for (ObjectKey key : queueOf(job, objects)) {
      if (objects.get(key) instanceof ClusterQueue queue) {
        flavors.addAll(queue.references());
      }
    }
    return flavors;
  }

  private static boolean selects(JobSpec job) {
    return job.podSets().stream().anyMatch(PodSetSpec::selects);
  }

  private static ObjectKey classKey(String name) {
    return ObjectKey.of(ObjectKind.WORKLOAD_PRIORITY_CLASS, name);
  }

  /**
   * All violations of a job.
   *
   * @param document number of the job in the request, from 1
   * @param objects the existing objects
   */
  List<Violation> violations(int document, FilledJob job, Map<ObjectKey, QuotaObject> objects) {
    return job.blamed(violations(document, job.spec(), objects));
  }

  private List<Violation> violations(
      int document, JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    List<Violation> violations = notYet(document, job, objects);
    violations.addAll(never(document, job));
    return violations;
  }

  /** Violations that a change of quota objects could cure. */
  List<Violation> notYet(int document, JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    List<Violation> violations = new ArrayList<>();
    Violation queue = wrongQueue(document, job, objects);
    if (queue != null) {
      violations.add(queue);
    }
    violations.addAll(ofPriorityClass(document, job, objects));
    Violation limit = tooLong(document, job, objects);
    if (limit != null) {
      violations.add(limit);
    }
    Violation ladder = wrongLadder(document, job, objects);
    if (ladder != null) {
      violations.add(ladder);
    }
    violations.addAll(wrongSelectors(document, job, objects));
    if (objects.get(QuotaLookup.teamOf(job.meta().namespace())) instanceof Team team) {
      violations.addAll(CeilingCheck.ofClasses(document, job, team, knownPriority(job, objects)));
    }
    return violations;
  }

  /** Violations that no change of quota objects cures. */
  List<Violation> never(int document, JobSpec job) {
    List<Violation> violations = new ArrayList<>();
    Violation counted = tooMuch(document, job);
    if (counted != null) {
      violations.add(counted);
    }
    Violation slices = tooManySlices(document, job.accelerator());
    if (slices != null) {
      violations.add(slices);
    }
    return violations;
  }

  private static @Nullable Violation wrongQueue(
      int document, JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    String path = "spec.queue";
    if (!job.queued()) {
      String message = "is required: compute class %s has no default".formatted(job.computeClass());
      return new Violation(document, path, "", message);
    }
    if (objects.containsKey(job.queueKey().objectKey())) {
      return null;
    }
    String message = "there is no such LocalQueue in namespace " + job.meta().namespace();
    return new Violation(document, path, job.queue(), message);
  }

  /**
   * Violations that keep this server's executor from running a job.
   *
   * @param documents the job as a manifest of Kubernetes; null if it was not submitted as one
   * @param allowed what its pods may use of a cluster; asked only if there is one
   */
  List<Violation> whoRuns(
      int document, JobSpec job, @Nullable String documents, Supplier<PodRules> allowed) {
    boolean clusters = fleet.get().executor() == ExecutorKind.KUBERNETES;
    if (!clusters && documents != null) {
      return ofContainers(document, documents);
    }
    List<Violation> violations = new ArrayList<>();
    PodRules rules = clusters ? allowed.get() : PodRules.UNRESTRICTED;
    if (!rules.equals(PodRules.UNRESTRICTED)) {
      violations.addAll(
          documents == null
              ? PodRuleCheck.of(job, rules, document)
              : PodRuleCheck.of(ForeignReader.readAll(documents).get(0), rules, document));
    }
    for (int at = 0; clusters && documents == null && at < job.podSets().size(); at++) {
      if (job.podSets().get(at).template().image() == null) {
        String field = job.podSets().size() == 1 ? "spec.image" : "spec.podSets[" + at + "].image";
        String message = "must be there: no Kubernetes cluster can run pods without one";
        violations.add(new Violation(document, field, "", message));
      }
    }
    return violations;
  }

  private List<Violation> ofContainers(int document, String documents) {
    if (containersAsProcesses) {
      return ContainerRefusals.of(ForeignReader.readAll(documents).get(0), document);
    }
    String message =
        "is run by a Kubernetes cluster: this server has none (--kubeconfig), and does not run"
            + " containers as processes (--run-containers-as-processes)";
    return List.of(new Violation(document, "kind", "", message));
  }

  /** Violations of a job's priority class. */
  static List<Violation> ofPriorityClass(
      int document, JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    List<Violation> violations = new ArrayList<>();
    String className = job.priority().className();
    if (className != null && !objects.containsKey(classKey(className))) {
      violations.add(
          new Violation(
              document, "spec.priorityClass", className, "there is no such WorkloadPriorityClass"));
    }
    Violation notAllowed = classNotAllowed(document, job, objects);
    if (notAllowed != null) {
      violations.add(notAllowed);
    }
    return violations;
  }

  /** A LocalQueue may restrict the priority classes of its jobs. */
  private static @Nullable Violation classNotAllowed(
      int document, JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    String className = job.priority().className();
    if (!job.queued()
        || !(objects.get(job.queueKey().objectKey()) instanceof LocalQueue queue)
        || queue.limits().allows(className)) {
      return null;
    }
    List<String> allowed = queue.limits().priorityClasses();
    return new Violation(
        document,
        "spec.priorityClass",
        className == null ? "" : className,
        "must be %s%s: LocalQueue %s allows no other"
            .formatted(
                allowed.size() == 1 ? "" : "one of ",
                String.join(", ", allowed),
                queue.queueKey()));
  }

  /** A LocalQueue may bound the time limits of its jobs. */
  private static @Nullable Violation tooLong(
      int document, JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    Duration limit = job.limits().timeLimit();
    if (limit == null
        || !job.queued()
        || !(objects.get(job.queueKey().objectKey()) instanceof LocalQueue queue)) {
      return null;
    }
    QueueTimeLimits limits = QueueTimeLimits.of(queue);
    Duration longest = limits.longest();
    if (longest == null || limits.allows(limit)) {
      return null;
    }
    return new Violation(
        document,
        "spec.timeLimit",
        DurationNotation.format(limit),
        "must be at most %s: LocalQueue %s allows no longer one"
            .formatted(DurationNotation.format(longest), queue.queueKey()));
  }

  /** The class must exist, and one of its rungs must match a flavor of the job's queue. */
  private static @Nullable Violation wrongLadder(
      int document, JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    String name = job.computeClass();
    if (name == null) {
      return null;
    }
    if (!(objects.get(ladderKey(name)) instanceof ComputeClass ladder)) {
      return new Violation(document, "spec.computeClass", name, "there is no such ComputeClass");
    }
    for (ObjectKey key : queueOf(job, objects)) {
      if (objects.get(key) instanceof ClusterQueue queue) {
        boolean served =
            ladder.rungs().stream()
                .anyMatch(
                    rung ->
                        !RungChoice.flavors(
                                rung, job.shape(), queue, flavor -> flavor(flavor, objects))
                            .isEmpty());
        boolean any = ladder.whenUnsatisfiable() == WhenUnsatisfiable.SCALE_UP_ANYWAY;
        if (!served && !any) {
          return new Violation(
              document,
              "spec.computeClass",
              name,
              "has no rung for this job that means a flavor of ClusterQueue " + key.name());
        }
      }
    }
    return null;
  }

  /** For each pod set that selects nodes, a flavor of the queue must match an alternative. */
  private static List<Violation> wrongSelectors(
      int document, JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    List<Violation> violations = new ArrayList<>();
    for (ObjectKey key : queueOf(job, objects)) {
      if (objects.get(key) instanceof ClusterQueue queue) {
        for (int at = 0; at < job.podSets().size(); at++) {
          if (!anyFlavorMeets(job.podSets().get(at).template().affinity(), queue, objects)) {
            boolean alone = job.podSets().size() == 1;
            violations.add(
                new Violation(
                    document,
                    alone ? "spec.selectors" : "spec.podSets[" + at + "].selectors",
                    "",
                    "no flavor of ClusterQueue " + key.name() + " meets any of the alternatives"));
          }
        }
      }
    }
    return violations;
  }

  private static boolean anyFlavorMeets(
      NodeAffinity affinity, ClusterQueue queue, Map<ObjectKey, QuotaObject> objects) {
    boolean meets = affinity.alternatives().isEmpty();
    for (ObjectKey key : queue.references()) {
      if (objects.get(key) instanceof ResourceFlavor flavor) {
        for (int number = 0; number < affinity.alternatives().size(); number++) {
          meets |= affinity.permits(number, SelectedNodes.seen(flavor.nodeLabels()));
        }
      }
    }
    return meets;
  }

  private static @Nullable ResourceFlavor flavor(String name, Map<ObjectKey, QuotaObject> objects) {
    return objects.get(ObjectKey.of(ObjectKind.RESOURCE_FLAVOR, name))
            instanceof ResourceFlavor flavor
        ? flavor
        : null;
  }

  private @Nullable Violation tooManySlices(int document, @Nullable AcceleratorRequest wanted) {
    if (wanted == null || fleet.get().executor() == ExecutorKind.KUBERNETES) {
      // Nodes come and go: one that does not exist now may exist when the job is scheduled.
      return null;
    }
    long there = SliceForms.most(fleet.get(), wanted);
    if (there >= wanted.slices().min()) {
      return null;
    }
    String message =
        "the fleet has %s of %s %s on %d hosts each"
            .formatted(
                there == 0 ? "no slice" : there == 1 ? "only 1 slice" : "only " + there + " slices",
                wanted.type(),
                wanted.topology(),
                wanted.hostsPerSlice());
    return new Violation(
        document, "spec.accelerator.slices", Integer.toString(wanted.slices().min()), message);
  }

  /** Violations by the ceilings of the job's team for priorities, if the job has a team. */
  static List<Violation> ofPriorityCeilings(
      int document, JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    return objects.get(QuotaLookup.teamOf(job.meta().namespace())) instanceof Team team
        ? CeilingCheck.ofPriority(document, job, team, knownPriority(job, objects))
        : List.of();
  }

  private static @Nullable Integer knownPriority(JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    String className = job.priority().className();
    boolean known = className == null || objects.containsKey(classKey(className));
    return known ? priority(job, objects).value() : null;
  }

  /** The priority of a valid job. */
  static WorkloadPriority priority(JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    String className = job.priority().className();
    Boolean own = job.priority().preemptible();
    if (className == null) {
      return new WorkloadPriority(DEFAULT_PRIORITY, own != null && own);
    }
    WorkloadPriorityClass priorityClass =
        (WorkloadPriorityClass) required(objects, classKey(className));
    return new WorkloadPriority(
        priorityClass.value(), own == null ? priorityClass.preemptible() : own);
  }

  /** The ClusterQueue behind the LocalQueue of a valid job. */
  static String clusterQueue(JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    return ((LocalQueue) required(objects, job.queueKey().objectKey())).clusterQueue();
  }

  private static QuotaObject required(Map<ObjectKey, QuotaObject> objects, ObjectKey key) {
    QuotaObject object = objects.get(key);
    if (object == null) {
      throw new IllegalStateException(key + " was there a moment ago");
    }
    return object;
  }
}
