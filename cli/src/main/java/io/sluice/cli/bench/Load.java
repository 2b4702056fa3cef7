// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A load: ClusterQueues that are all alike, and the workloads that each of them gets. The k-th
 * workload of a class (k = 1, 2, ...) comes at k times the interval of the class.
 *
 * @param name name of the load; the names of its namespace and of its objects begin with it
 * @param classes the classes of workloads, each with a name of its own
 * @param reference what another system achieved with the load; null: unknown
 */
record Load(
    String name,
    int cohorts,
    int clusterQueuesPerCohort,
    QueueTerms clusterQueue,
    List<WorkloadClass> classes,
    @Nullable Reference reference) {
  private static final double MILLIS_PER_SECOND = 1_000;

  Load {
    classes = List.copyOf(classes);
  }

  /**
   * The terms of each ClusterQueue, in Kueue's words.
   *
   * @param borrowingLimitCpu the most that the queue may borrow from its cohort
   */
  record QueueTerms(
      long nominalCpu,
      long borrowingLimitCpu,
      String reclaimWithinCohort,
      String withinClusterQueue,
      String queueingStrategy) {}

  /**
   * Workloads that are alike.
   *
   * @param count number of workloads in each ClusterQueue
   * @param everyMillis time between two workloads of a ClusterQueue
   * @param runMillis how long each runs
   */
  record WorkloadClass(
      String name, int count, long everyMillis, long runMillis, int priority, long requestCpu) {
    /** Returns the work of the class in a ClusterQueue, in thousandths of a CPU second. */
    private double work() {
      return (double) count * runMillis * requestCpu;
    }
  }

  /**
   * What another system achieved with the load. Absent figures are null.
   *
   * @param source where the figures come from
   * @param meanTimeToAdmissionSeconds by class of workloads
   * @param quotaHeldPercent share of nominal quota that was reserved, averaged over the run
   * @param usefulUsagePercent capacity bound divided by the wall time
   */
  record Reference(
      String system,
      String source,
      @Nullable Double wallSeconds,
      Map<String, Double> meanTimeToAdmissionSeconds,
      @Nullable Double quotaHeldPercent,
      @Nullable Double usefulUsagePercent) {
    Reference {
      meanTimeToAdmissionSeconds =
          Collections.unmodifiableMap(new LinkedHashMap<>(meanTimeToAdmissionSeconds));
    }
  }

  int clusterQueues() {
    return cohorts * clusterQueuesPerCohort;
  }

  /** Returns the number of workloads of all ClusterQueues. */
  long workloads() {
    return clusterQueues() * classes.stream().mapToLong(WorkloadClass::count).sum();
  }

  /**
   * Returns the time in which no scheduler can finish sooner: the work of a ClusterQueue divided by
   * its nominal quota. All queues are alike, so none has quota to lend for long.
   */
  double capacityBoundSeconds() {
    double work = classes.stream().mapToDouble(WorkloadClass::work).sum();
    return work / MILLIS_PER_SECOND / clusterQueue.nominalCpu();
  }

  /** Returns the time from the start to the arrival of the last workload. */
  Duration lastArrival() {
    return Duration.ofMillis(
        classes.stream().mapToLong(one -> one.count() * one.everyMillis()).max().orElse(0));
  }

  String namespace() {
    return name;
  }

  String flavor() {
    return name;
  }

  String priorityClass(WorkloadClass of) {
    return name + "-" + of.name();
  }

  /** Returns the name of a ClusterQueue and of its LocalQueue; they count from 0. */
  String queue(int queue) {
    return name + "-q" + queue;
  }

  /** Returns the name of the Cohort of a ClusterQueue. */
  String cohortOf(int queue) {
    return name + "-c" + queue / clusterQueuesPerCohort;
  }
}
