// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The metrics of Sluice. A metric that Kueue has too keeps its name, with {@code sluice_} for
 * {@code kueue_}, and its labels; an index of an array counts as a workload of its own.
 */
public enum Metric {
  PENDING(
      "sluice_pending_workloads",
      Meter.Type.GAUGE,
      "Pending jobs of a ClusterQueue that admits: status is always active, since which of"
          + " them have no prospect now is not counted.",
      "cluster_queue",
      "status"),
  ADMITTED_ACTIVE(
      "sluice_admitted_active_workloads",
      Meter.Type.GAUGE,
      "Attempts that hold quota of a ClusterQueue, those that drain included.",
      "cluster_queue"),
  QUEUE_STATUS(
      "sluice_cluster_queue_status",
      Meter.Type.GAUGE,
      "1 for the status that a ClusterQueue has: active, or pending while it is stopped.",
      "cluster_queue",
      "status"),
  USAGE(
      "sluice_cluster_queue_resource_usage",
      Meter.Type.GAUGE,
      "What attempts hold of a resource, in its unit (cores, bytes, chips).",
      "cohort",
      "cluster_queue",
      "flavor",
      "resource"),
  NOMINAL(
      "sluice_cluster_queue_nominal_quota",
      Meter.Type.GAUGE,
      "Nominal quota of a ClusterQueue.",
      "cohort",
      "cluster_queue",
      "flavor",
      "resource"),
  BORROWING_LIMIT(
      "sluice_cluster_queue_borrowing_limit",
      Meter.Type.GAUGE,
      "Most that a ClusterQueue may borrow; absent where there is no limit.",
      "cohort",
      "cluster_queue",
      "flavor",
      "resource"),
  LENDING_LIMIT(
      "sluice_cluster_queue_lending_limit",
      Meter.Type.GAUGE,
      "Most that a ClusterQueue lends; absent where there is no limit.",
      "cohort",
      "cluster_queue",
      "flavor",
      "resource"),
  ADMITTED(
      "sluice_admitted_workloads_total",
      Meter.Type.COUNTER,
      "Admissions that this server has committed since its start.",
      "cluster_queue"),
  EVICTED(
      "sluice_evicted_workloads_total",
      Meter.Type.COUNTER,
      "Evictions that this server has committed since its start, by reason.",
      "cluster_queue",
      "reason"),
  PREEMPTED(
      "sluice_preempted_workloads_total",
      Meter.Type.COUNTER,
      "Preemptions that this server has committed since its start, by whose ClusterQueue and why.",
      "preempting_cluster_queue",
      "reason"),
  ADMISSION_WAIT(
      "sluice_admission_wait_time_seconds",
      Meter.Type.TIMER,
      "Time from when a job was created, or its index requeued, until it was admitted.",
      "cluster_queue"),
  START_ESTIMATES(
      "sluice_start_estimates_total",
      Meter.Type.COUNTER,
      "Starts of jobs for which a range was stated that is to hold in 80 %, as recorded by this"
          + " server since its start: early, in_range or late.",
      "cluster_queue",
      "outcome"),
  LEADER("sluice_leader", Meter.Type.GAUGE, "1 while this server leads and may act, else 0."),
  EPOCH(
      "sluice_leader_epoch",
      Meter.Type.GAUGE,
      "Epoch of the leader that this server knows of; absent if there was never one."),
  SEQUENCE(
      "sluice_journal_sequence",
      Meter.Type.GAUGE,
      "Last batch that this server's view includes; a follower's lag is how far it is behind the"
          + " greatest."),
  IN_FLIGHT(
      "sluice_batches_in_flight",
      Meter.Type.GAUGE,
      "Batches that this server has decided and that are not durable yet; 0 in a follower."),
  SET_ASIDE(
      "sluice_set_aside_total",
      Meter.Type.COUNTER,
      "Reports, outputs, inputs and heads of queues that this server has set aside since its start"
          + " because it could not process them; the log names each. Any is an error.",
      "kind"),
  DATABASE_WAL(
      "sluice_database_wal_bytes_total",
      Meter.Type.COUNTER,
      "Bytes of write-ahead log that the whole PostgreSQL server has written."),
  DATABASE_ROWS(
      "sluice_database_rows_written_total",
      Meter.Type.COUNTER,
      "Rows of this installation's database that were inserted, updated or deleted."),
  ROUND(
      "sluice_round_duration_seconds",
      Meter.Type.TIMER,
      "Time of a step of the decision loop: inputs read, decided, batch handed to the journal.");

  private final String id;
  private final Meter.Type type;
  private final String meaning;
  private final String labels;

  Metric(String id, Meter.Type type, String meaning, String... labels) {
    this.id = id;
    this.type = type;
    this.meaning = meaning;
    this.labels = String.join(",", labels);
  }

  /** The exposed name; that of a timer gets suffixes such as {@code _bucket}. */
  public String id() {
    return id;
  }

  /** The type of meter; a timer is exposed as a histogram. */
  public Meter.Type type() {
    return type;
  }

  /** The description, one line for people. */
  public String meaning() {
    return meaning;
  }

  /** The names of its labels, in their order. */
  public List<String> labels() {
    return labels.isEmpty() ? List.of() : List.of(labels.split(",", -1));
  }

  /**
   * The labels of one series.
   *
   * @param values one for each label, in their order
   */
  Tags tags(String... values) {
    List<String> names = labels();
    List<Tag> tags = new ArrayList<>();
    for (int label = 0; label < values.length; label++) {
      tags.add(Tag.of(names.get(label), values[label]));
    }
    return Tags.of(tags);
  }

  /** The counter of one series, registered on first use. */
  Counter counter(MeterRegistry registry, String... values) {
    return Counter.builder(id).description(meaning).tags(tags(values)).register(registry);
  }

  /**
   * The timer of one series, registered on first use.
   *
   * @param bounds of its buckets, ascending
   */
  Timer timer(MeterRegistry registry, List<Duration> bounds, String... values) {
    return Timer.builder(id)
        .description(meaning)
        .tags(tags(values))
        .serviceLevelObjectives(bounds.toArray(Duration[]::new))
        .register(registry);
  }
}
