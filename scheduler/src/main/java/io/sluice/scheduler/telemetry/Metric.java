// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.prometheus.client.Collector;
import java.util.List;

/**
 * The metrics of ours. What Kueue has a metric of has its name here, with {@code sluice_} for
 * {@code kueue_}, and its labels; an index of an array counts as a workload of its own.
 */
public enum Metric {
  PENDING(
      "sluice_pending_workloads",
      Collector.Type.GAUGE,
      "Pending jobs of a ClusterQueue that admits: status is always active, since which of"
          + " them have no prospect now is not counted.",
      "cluster_queue",
      "status"),
  ADMITTED_ACTIVE(
      "sluice_admitted_active_workloads",
      Collector.Type.GAUGE,
      "Attempts that hold quota of a ClusterQueue, those that drain included.",
      "cluster_queue"),
  QUEUE_STATUS(
      "sluice_cluster_queue_status",
      Collector.Type.GAUGE,
      "1 for the status that a ClusterQueue has: active, or pending while it is stopped.",
      "cluster_queue",
      "status"),
  USAGE(
      "sluice_cluster_queue_resource_usage",
      Collector.Type.GAUGE,
      "What attempts hold of a resource, in its unit (cores, bytes, chips).",
      "cohort",
      "cluster_queue",
      "flavor",
      "resource"),
  NOMINAL(
      "sluice_cluster_queue_nominal_quota",
      Collector.Type.GAUGE,
      "Nominal quota of a ClusterQueue.",
      "cohort",
      "cluster_queue",
      "flavor",
      "resource"),
  BORROWING_LIMIT(
      "sluice_cluster_queue_borrowing_limit",
      Collector.Type.GAUGE,
      "Most that a ClusterQueue may borrow; absent where there is no limit.",
      "cohort",
      "cluster_queue",
      "flavor",
      "resource"),
  LENDING_LIMIT(
      "sluice_cluster_queue_lending_limit",
      Collector.Type.GAUGE,
      "Most that a ClusterQueue lends; absent where there is no limit.",
      "cohort",
      "cluster_queue",
      "flavor",
      "resource"),
  ADMITTED(
      "sluice_admitted_workloads_total",
      Collector.Type.COUNTER,
      "Admissions that this server has committed since its start.",
      "cluster_queue"),
  EVICTED(
      "sluice_evicted_workloads_total",
      Collector.Type.COUNTER,
      "Evictions that this server has committed since its start, by reason.",
      "cluster_queue",
      "reason"),
  PREEMPTED(
      "sluice_preempted_workloads_total",
      Collector.Type.COUNTER,
      "Preemptions that this server has committed since its start, by whose ClusterQueue and why.",
      "preempting_cluster_queue",
      "reason"),
  ADMISSION_WAIT(
      "sluice_admission_wait_time_seconds",
      Collector.Type.HISTOGRAM,
      "Time from when a job was created, or its index requeued, until it was admitted.",
      "cluster_queue"),
  LEADER("sluice_leader", Collector.Type.GAUGE, "1 while this server leads and may act, else 0."),
  EPOCH(
      "sluice_leader_epoch",
      Collector.Type.GAUGE,
      "Epoch of the leader that this server knows of; absent if there was never one."),
  SEQUENCE(
      "sluice_journal_sequence",
      Collector.Type.GAUGE,
      "Last batch that this server's view includes; a follower's lag is how far it is behind the"
          + " greatest."),
  IN_FLIGHT(
      "sluice_batches_in_flight",
      Collector.Type.GAUGE,
      "Batches that this server has decided and that are not durable yet; 0 in a follower."),
  SET_ASIDE(
      "sluice_set_aside_total",
      Collector.Type.COUNTER,
      "Reports, outputs, inputs and heads of queues that this server has set aside since its start"
          + " because it could not process them; the log names each. Any is an error.",
      "kind"),
  ROUND(
      "sluice_round_duration_seconds",
      Collector.Type.HISTOGRAM,
      "Time of a step of the decision loop: inputs read, decided, batch handed to the journal.");

  private final String id;
  private final Collector.Type type;
  private final String meaning;
  private final String labels;

  Metric(String id, Collector.Type type, String meaning, String... labels) {
    this.id = id;
    this.type = type;
    this.meaning = meaning;
    this.labels = String.join(",", labels);
  }

  /** Its name in answers; that of a histogram is followed by {@code _bucket} and the like. */
  public String id() {
    return id;
  }

  /** What kind of number it is. */
  public Collector.Type type() {
    return type;
  }

  /** One line for people. */
  public String meaning() {
    return meaning;
  }

  /** The labels of each of its numbers, in their order. */
  public List<String> labels() {
    return labels.isEmpty() ? List.of() : List.of(labels.split(",", -1));
  }
}
