// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.listing;

import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.Kinds;
import io.sluice.cli.options.WrongUsageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The events that tell of changes of the items of a kind. */
final class WatchScope {
  private static final List<String> OF_JOBS = List.of("Job", "Attempt");

  private WatchScope() {}

  /**
   * Refuses kinds of which the journal has no events.
   *
   * @throws WrongUsageException naming what can be done instead
   */
  static void check(Kinds kinds) {
    String instead = instead(kinds);
    if (instead != null) {
      throw new WrongUsageException(
          "%s cannot be watched, because the server has no events of them; %s"
              .formatted(kinds.plural(), instead));
    }
  }

  /** Returns what to do instead of watching the kind; null: it can be watched. */
  private static @Nullable String instead(Kinds kinds) {
    return switch (kinds) {
      case JOBS,
          CLUSTER_QUEUES,
          LOCAL_QUEUES,
          COHORTS,
          TOPOLOGIES,
          FLAVORS,
          PRIORITY_CLASSES,
          COMPUTE_CLASSES,
          BOOKINGS,
          OUTAGES,
          TEAMS,
          ROLE_BINDINGS,
          FLEET,
          EVENTS,
          ATTEMPTS,
          RUNS ->
          null;
      case ACCURACY -> "sluice get accuracy shows what has come so far";
      case PLAN -> "sluice get jobs -w shows changes of planned starts";
      case HOSTS, ALLOCATIONS -> "sluice get slices -w shows the jobs on slices";
      case PENDING -> "sluice get jobs -s PENDING -w shows pending jobs";
      case PIPELINES, BACKFILLS -> "sluice get runs -w shows the runs of pipelines";
    };
  }

  /**
   * Returns the filter of the events.
   *
   * @param name of one item; null: all
   * @param job id of the job whose attempts or events are listed, or of the one job; null: none
   */
  static String filter(
      Kinds kinds, ListFilter filter, @Nullable String name, @Nullable String job) {
    Map<String, @Nullable String> parameters = new LinkedHashMap<>();
    parameters.put("job", job);
    boolean byNamespace =
        job == null && (kinds == Kinds.JOBS || kinds == Kinds.LOCAL_QUEUES || kinds == Kinds.RUNS);
    parameters.put("namespace", byNamespace && name == null ? filter.namespace : null);
    parameters.put("queue", job == null ? filter.queue : null);
    parameters.put("clusterQueue", kinds == Kinds.CLUSTER_QUEUES ? name : null);
    StringBuilder query = new StringBuilder(ServerClient.query("", parameters));
    for (String kind : kinds(kinds)) {
      query.append("&kind=").append(kind);
    }
    return query.length() == 0 ? "" : query.substring(1);
  }

  /** Returns the kinds of objects whose events matter; empty: all. */
  private static List<String> kinds(Kinds kinds) {
    return switch (kinds) {
      case JOBS -> OF_JOBS;
      case ATTEMPTS -> List.of("Attempt");
      case FLEET -> List.of("Slice", "Attempt", "Fleet");
      // The status of queues counts their jobs.
      case CLUSTER_QUEUES -> List.of("ClusterQueue", "Job", "Attempt");
      case LOCAL_QUEUES -> List.of("LocalQueue", "Job", "Attempt");
      case RUNS -> List.of("Run");
      case COHORTS -> List.of("Cohort");
      case TOPOLOGIES -> List.of("Topology");
      case FLAVORS -> List.of("ResourceFlavor");
      case PRIORITY_CLASSES -> List.of("WorkloadPriorityClass");
      case COMPUTE_CLASSES -> List.of("ComputeClass");
      case BOOKINGS -> List.of("Booking");
      case OUTAGES -> List.of("Outage");
      case TEAMS -> List.of("Team");
      case ROLE_BINDINGS -> List.of("RoleBinding");
      case EVENTS, HOSTS, ALLOCATIONS, PENDING, PIPELINES, BACKFILLS, PLAN, ACCURACY -> List.of();
    };
  }
}
