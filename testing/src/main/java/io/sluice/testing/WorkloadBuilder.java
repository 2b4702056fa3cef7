// SPDX-License-Identifier: Apache-2.0
package io.sluice.testing;

import io.sluice.computeclasses.AcceleratorCatalogue;
import io.sluice.computeclasses.SelectedNodes;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.fleet.Toleration;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.AttemptDeadlines;
import io.sluice.queuemodel.job.JobArray;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.job.NodeAffinity;
import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.job.SliceRange;
import io.sluice.queuemodel.job.StallPolicy;
import io.sluice.queuemodel.job.TopologyRequest;
import io.sluice.queuemodel.job.Workload;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.policy.LabelSelector.Operator;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Builds a workload; by default it requests one core. */
public final class WorkloadBuilder {
  private final String name;
  private final JobId id;
  private QueueKey queue = new QueueKey("default", "main");
  private WorkloadPriority priority = new WorkloadPriority(0, false);
  private Instant createdAt = Instant.EPOCH;
  private String submitter = "";
  private WorkloadShape shape =
      pods(1, ResourceList.of(ResourceName.CPU, ResourceName.CPU.unitsPerOne()));
  private JobArray array = JobArray.SINGLE;
  private JobLimits limits = JobLimits.DEFAULT;

  private WorkloadBuilder(String name, long number) {
    this.name = name;
    this.id = id(number);
  }

  /**
   * A workload whose id is made of a number.
   *
   * @param number above 0; ids order as their numbers do
   */
  public static WorkloadBuilder named(String name, long number) {
    return new WorkloadBuilder(name, number);
  }

  /** The id of that number. */
  public static JobId id(long number) {
    return new JobId(new UUID(number, 0));
  }

  public WorkloadBuilder queue(String namespace, String localQueue) {
    queue = new QueueKey(namespace, localQueue);
    return this;
  }

  public WorkloadBuilder priority(int value, boolean preemptible) {
    priority = new WorkloadPriority(value, preemptible);
    return this;
  }

  public WorkloadBuilder createdAt(Instant time) {
    createdAt = time;
    return this;
  }

  public WorkloadBuilder submitter(String caller) {
    submitter = caller;
    return this;
  }

  /** Asks for pods, each with so much of one resource in its counted unit. */
  public WorkloadBuilder requests(int pods, ResourceName resource, long each) {
    shape = pods(pods, ResourceList.of(resource, each));
    return this;
  }

  /** Asks for one pod with several resources, each in its counted unit. */
  public WorkloadBuilder requests(ResourceList pod) {
    shape = pods(1, pod);
    return this;
  }

  /** Says how close together the pods must be. */
  public WorkloadBuilder placed(TopologyRequest topology) {
    shape =
        new WorkloadShape(
            shape.podSets().stream().map(podSet -> podSet.withTopology(topology)).toList(),
            shape.accelerator(),
            shape.computeClass());
    return this;
  }

  /** May do with fewer pods; to be said after what is asked for. */
  public WorkloadBuilder least(int pods) {
    return podSets(
        podSet ->
            new PodSet(
                podSet.name(),
                podSet.count(),
                podSet.requests(),
                podSet.nodeSelector(),
                podSet.tolerations(),
                podSet.affinity(),
                pods,
                podSet.group()));
  }

  /** Only on nodes on which a label has one of the values; to be said after what is asked for. */
  public WorkloadBuilder onNodes(String label, List<String> values) {
    return affinities(
        before -> new NodeAffinity(List.of(List.of(new Requirement(label, Operator.IN, values)))));
  }

  /**
   * One more alternative, after those before; to be said after what is asked for.
   *
   * @param label {@code capacity}: the capacity type
   * @param values with commas between them, and perhaps {@code !} before: none of them
   */
  public WorkloadBuilder either(String label, String values) {
    boolean not = values.startsWith("!");
    Requirement requirement =
        new Requirement(
            label.equals("capacity") ? SelectedNodes.CAPACITY_TYPE : label,
            not ? Operator.NOT_IN : Operator.IN,
            List.of((not ? values.substring(1) : values).split(",", -1)));
    return affinities(
        before -> {
          List<List<Requirement>> more = new ArrayList<>(before.alternatives());
          more.add(List.of(requirement));
          return before.choosing(more);
        });
  }

  /** Only on hosts with these labels, and on tainted ones; to be said after what is asked for. */
  public WorkloadBuilder selecting(Labels labels, List<Toleration> tolerations) {
    return podSets(podSet -> podSet.onNodes(podSet.nodeSelector().with(labels), tolerations));
  }

  private WorkloadBuilder affinities(UnaryOperator<NodeAffinity> change) {
    return podSets(
        podSet ->
            new PodSet(
                podSet.name(),
                podSet.count(),
                podSet.requests(),
                podSet.nodeSelector(),
                podSet.tolerations(),
                change.apply(podSet.affinity()),
                podSet.minCount(),
                podSet.group()));
  }

  private WorkloadBuilder podSets(UnaryOperator<PodSet> change) {
    shape =
        new WorkloadShape(
            shape.podSets().stream().map(change).toList(),
            shape.accelerator(),
            shape.computeClass());
    return this;
  }

  /** Asks for whole slices. */
  public WorkloadBuilder slices(int slices, String type, String topology) {
    return slices(SliceRange.exactly(slices), type, topology);
  }

  /** Asks for whole slices, as many of them as can be had. */
  public WorkloadBuilder slices(SliceRange slices, String type, String topology) {
    SliceTopology parsed = SliceTopology.parse(topology);
    int hosts = AcceleratorCatalogue.BUILT_IN.type(type).hostsPerSlice(parsed, null);
    long chipsPerHost = parsed.chips() / hosts;
    shape =
        new WorkloadShape(
            pods(slices.max() * hosts, ResourceList.of(ResourceName.TPU, chipsPerHost)).podSets(),
            new AcceleratorRequest(type, parsed, slices, hosts));
    return this;
  }

  /** Has a pod before the others that takes none of the slices; to be said after them. */
  public WorkloadBuilder headPod(ResourceName resource, long amount) {
    List<PodSet> podSets =
        new ArrayList<>(
            List.of(
                new PodSet("head", 1, ResourceList.of(resource, amount), Labels.NONE, List.of())));
    podSets.addAll(shape.podSets());
    shape = new WorkloadShape(podSets, shape.accelerator(), shape.computeClass());
    return this;
  }

  /** Only this flavor may be given. */
  public WorkloadBuilder onlyFlavor(String flavor) {
    shape =
        new WorkloadShape(
            shape.podSets(), shape.accelerator(), shape.computeClass(), List.of(flavor));
    return this;
  }

  /** Names a compute class; to be said after what is asked for. */
  public WorkloadBuilder computeClass(String name) {
    shape = new WorkloadShape(shape.podSets(), shape.accelerator(), name);
    return this;
  }

  public WorkloadBuilder gracePeriod(Duration grace) {
    limits = new JobLimits(limits.timeLimit(), grace, limits.maxFailures(), limits.deadlines());
    return this;
  }

  public WorkloadBuilder array(int count, int maxParallel) {
    array = new JobArray(count, maxParallel);
    return this;
  }

  public WorkloadBuilder timeLimit(@Nullable Duration limit) {
    limits = new JobLimits(limit, limits.gracePeriod(), limits.maxFailures(), limits.deadlines());
    return this;
  }

  /** Bounds all attempts of an index together; to be said after the other limits. */
  public WorkloadBuilder maximumExecution(Duration maximum) {
    limits = limits.withMaximumExecution(maximum);
    return this;
  }

  public WorkloadBuilder startDeadline(Duration start) {
    AttemptDeadlines now = limits.deadlines();
    return deadlines(new AttemptDeadlines(start, now.progress(), now.onStall()));
  }

  public WorkloadBuilder progressDeadline(Duration progress, StallPolicy onStall) {
    return deadlines(new AttemptDeadlines(limits.deadlines().start(), progress, onStall));
  }

  public WorkloadBuilder onStall(StallPolicy onStall) {
    AttemptDeadlines now = limits.deadlines();
    return deadlines(new AttemptDeadlines(now.start(), now.progress(), onStall));
  }

  private WorkloadBuilder deadlines(AttemptDeadlines deadlines) {
    limits =
        new JobLimits(limits.timeLimit(), limits.gracePeriod(), limits.maxFailures(), deadlines);
    return this;
  }

  public WorkloadBuilder maxFailures(int failures) {
    limits = new JobLimits(limits.timeLimit(), limits.gracePeriod(), failures, limits.deadlines());
    return this;
  }

  public Workload build() {
    return new Workload(
        id,
        name,
        queue,
        priority,
        new Workload.Submitted(createdAt, submitter),
        shape,
        limits,
        array);
  }

  private static WorkloadShape pods(int count, ResourceList each) {
    return new WorkloadShape(
        List.of(new PodSet("main", count, each, Labels.NONE, List.of())), null);
  }
}
