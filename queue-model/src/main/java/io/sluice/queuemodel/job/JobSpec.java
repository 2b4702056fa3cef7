// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.ClassDefaults;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job as its user submits it. Nothing of it changes afterwards but its priority class.
 *
 * @param queueing where and how it stands in line
 * @param podSets at least one; with an accelerator exactly one of them asks for {@code
 *     google.com/tpu}: its pods are the hosts of the slices, and the others stand beside
 * @param computeClass name of a ComputeClass; null: none
 */
public record JobSpec(
    ObjectMeta meta,
    Queueing queueing,
    List<PodSetSpec> podSets,
    @Nullable AcceleratorRequest accelerator,
    JobLimits limits,
    JobArray array,
    @Nullable String computeClass) {
  public JobSpec {
    podSets = List.copyOf(podSets);
  }

  /** A job without a class that is not held. */
  public JobSpec(
      ObjectMeta meta,
      String queue,
      PrioritySpec priority,
      List<PodSetSpec> podSets,
      @Nullable AcceleratorRequest accelerator,
      JobLimits limits,
      JobArray array) {
    this(meta, new Queueing(queue, priority, false), podSets, accelerator, limits, array, null);
  }

  /**
   * Where and how a job stands in line.
   *
   * @param queue name of a LocalQueue in the job's namespace; null: the default of its class, which
   *     is not filled in yet
   * @param priority null class: priority 0
   * @param hold whether it is held from the start
   */
  public record Queueing(@Nullable String queue, PrioritySpec priority, boolean hold) {}

  /** Whether it has a queue; one that has not is not accepted yet. */
  public boolean queued() {
    return queueing.queue() != null;
  }

  /**
   * Its queue.
   *
   * @throws IllegalStateException if it has none
   */
  public String queue() {
    String queue = queueing.queue();
    if (queue == null) {
      throw new IllegalStateException("job " + meta.name() + " has no queue yet");
    }
    return queue;
  }

  public PrioritySpec priority() {
    return queueing.priority();
  }

  public boolean hold() {
    return queueing.hold();
  }

  /**
   * The priority as the user writes it.
   *
   * @param className name of a WorkloadPriorityClass; null: priority 0
   * @param preemptible null: as the class says
   */
  public record PrioritySpec(@Nullable String className, @Nullable Boolean preemptible) {
    public static final PrioritySpec NONE = new PrioritySpec(null, null);
  }

  /** The same, of which each pod set may be only on nodes that meet this as well. */
  public JobSpec requiring(Requirement requirement) {
    List<PodSetSpec> all = podSets.stream().map(podSet -> podSet.requiring(requirement)).toList();
    return new JobSpec(meta, queueing, all, accelerator, limits, array, computeClass);
  }

  /** The same, of which nothing is to be admitted before it is released. */
  public JobSpec onHold() {
    Queueing held = new Queueing(queueing.queue(), queueing.priority(), true);
    return new JobSpec(meta, held, podSets, accelerator, limits, array, computeClass);
  }

  /** The same with a time limit. */
  public JobSpec withTimeLimit(Duration limit) {
    JobLimits limited = limits.withTimeLimit(limit);
    return new JobSpec(meta, queueing, podSets, accelerator, limited, array, computeClass);
  }

  /** The same with another priority class. */
  public JobSpec withPriorityClass(String className) {
    PrioritySpec other = new PrioritySpec(className, priority().preemptible());
    return new JobSpec(
        meta,
        new Queueing(queueing.queue(), other, hold()),
        podSets,
        accelerator,
        limits,
        array,
        computeClass);
  }

  /** Of these defaults those that the job leaves open. */
  public ClassDefaults leftOpen(ClassDefaults defaults) {
    boolean anyOpen = podSets.stream().anyMatch(podSet -> !podSet.selects());
    return new ClassDefaults(
        queued() ? null : defaults.queue(),
        priority().className() == null ? defaults.priorityClass() : null,
        anyOpen ? defaults.selectors() : List.of());
  }

  /** The same with what it leaves open filled in; what it says itself stays. */
  public JobSpec filled(ClassDefaults defaults) {
    ClassDefaults open = leftOpen(defaults);
    PrioritySpec ownPriority = priority();
    Queueing filled =
        new Queueing(
            queued() ? queueing.queue() : open.queue(),
            open.priorityClass() == null
                ? ownPriority
                : new PrioritySpec(open.priorityClass(), ownPriority.preemptible()),
            hold());
    List<PodSetSpec> chosen =
        podSets.stream()
            .map(podSet -> podSet.selects() ? podSet : podSet.choosing(open.selectors()))
            .toList();
    return new JobSpec(meta, filled, chosen, accelerator, limits, array, computeClass);
  }

  public QueueKey queueKey() {
    return new QueueKey(meta.namespace(), queue());
  }

  public WorkloadShape shape() {
    return new WorkloadShape(
        podSets.stream().map(PodSetSpec::podSet).toList(), accelerator, computeClass);
  }

  /** What the engine schedules of this job once it has an id, a place in time and a priority. */
  public Workload workload(JobId id, Workload.Submitted submitted, WorkloadPriority resolved) {
    return new Workload(
        id, meta.name(), queueKey(), resolved, submitted, shape(), limits, array.counted());
  }
}
