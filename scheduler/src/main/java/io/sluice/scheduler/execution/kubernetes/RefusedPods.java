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
 * What controllers of a cluster said of pods that were refused to them. Of a namespace it is read
 * once for all attempts that have no pods yet, at most each ten seconds.
 */
final class RefusedPods {
  private static final long FRESH_NANOS = Duration.ofSeconds(10).toNanos();
  private static final List<String> OF_JOBS = List.of("reason=FailedCreate");

  /** Ray's operator has a reason for each kind of object that it cannot create. */
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
   * What was last said of one object.
   *
   * @param at when, as the cluster writes it
   */
  private record Complaint(String at, String message) {}

  /**
   * What was said in a namespace.
   *
   * @param byObject the last complaint about each object, by its name
   * @param unreadable why events may not be read; null: they may
   */
  private record Complaints(
      long readAt, Map<String, Complaint> byObject, @Nullable String unreadable) {}

  /** What is read at once. */
  private record Scope(String namespace, boolean ray) {}

  /** The last complaint of the controllers of an object and of those that it owns; null: none. */
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
