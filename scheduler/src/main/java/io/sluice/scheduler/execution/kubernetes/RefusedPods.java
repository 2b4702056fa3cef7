// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.execution.kubernetes.cluster.Cluster;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException.Reason;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events in which controllers report that a pod could not be created. One read of a
 * namespace serves all attempts without pods, at most every ten seconds.
 */
final class RefusedPods {
  private static final long FRESH_NANOS = Duration.ofSeconds(10).toNanos();
  private static final List<String> OF_JOBS = List.of("reason=FailedCreate");

  /** Reasons of KubeRay's events; it has one for each kind of object that it cannot create. */
  private static final List<String> OF_RAY =
      List.of(
          "type=Warning,involvedObject.kind=RayCluster", "type=Warning,involvedObject.kind=RayJob");

  private final Cluster cluster;
  private final LongSupplier monotonicNanos;
  private final ConcurrentHashMap<Scope, Complaints> scopes = new ConcurrentHashMap<>();

  RefusedPods(Cluster cluster, LongSupplier monotonicNanos) {
    this.cluster = cluster;
    this.monotonicNanos = monotonicNanos;
  }

  /**
   * The last failure event of one object.
   *
   * @param at time of the event, as the cluster writes it
   */
  private record Complaint(String at, String message) {}

  /**
   * The failure events of a namespace.
   *
   * @param byObject the last event of each object, by its name
   * @param unreadable why events cannot be read; null: they can
   */
  private record Complaints(
      long readAt, Map<String, Complaint> byObject, @Nullable String unreadable) {}

  /** The scope of one read of events. */
  private record Scope(String namespace, boolean ray) {}

  /** Returns the last failure event of an object and those that it owns; null: none. */
  @Nullable String of(ObjectRef object) {
    Complaints complaints =
        scopes.compute(
            new Scope(object.namespace(), isRay(object.kind())),
            (scope, known) ->
                known != null && monotonicNanos.getAsLong() - known.readAt() < FRESH_NANOS
                    ? known
                    : read(scope));
    if (complaints.unreadable() != null) {
      return "why there are no more pods of %s is not known, since events may not be read: %s"
          .formatted(object.words(), complaints.unreadable());
    }
    Complaint last = null;
    for (Map.Entry<String, Complaint> entry : complaints.byObject().entrySet()) {
      String about = entry.getKey();
      boolean own = about.equals(object.name()) || about.startsWith(object.name() + "-");
      if (own && (last == null || entry.getValue().at().compareTo(last.at()) >= 0)) {
        last = entry.getValue();
      }
    }
    return last == null
        ? null
        : "cluster %s creates no pods of %s: %s"
            .formatted(cluster.name(), object.words(), last.message());
  }

  private static boolean isRay(ClusterKind kind) {
    return kind == ClusterKind.RAY_JOB || kind == ClusterKind.RAY_CLUSTER;
  }

  private Complaints read(Scope scope) {
    Map<String, Complaint> byObject = new HashMap<>();
    String unreadable = null;
    try {
      for (String fields : scope.ray() ? OF_RAY : OF_JOBS) {
        cluster.events(scope.namespace(), fields).forEach(event -> add(event, byObject));
      }
    } catch (ClusterException failure) {
      if (failure.reason() != Reason.REFUSED) {
        throw failure;
      }
      unreadable = failure.text();
    }
    return new Complaints(monotonicNanos.getAsLong(), byObject, unreadable);
  }

  private static void add(JsonNode event, Map<String, Complaint> byObject) {
    byObject.merge(
        event.path("involvedObject").path("name").asText(),
        new Complaint(
            event.path("lastTimestamp").asText(event.path("eventTime").asText()),
            event.path("message").asText()),
        (one, other) -> one.at().compareTo(other.at()) > 0 ? one : other);
  }
}
