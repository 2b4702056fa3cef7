// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.HashMap;
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

  private final Cluster cluster;
  private final LongSupplier monotonicNanos;
  private final ConcurrentHashMap<String, Complaints> namespaces = new ConcurrentHashMap<>();

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
   */
  private record Complaints(long readAt, Map<String, Complaint> byObject) {}

  /** The last complaint of the controllers of an object and of those that it owns; null: none. */
  @Nullable String of(ObjectRef object) {
    Complaints complaints =
        namespaces.compute(
            object.namespace(),
            (namespace, known) ->
                known != null && monotonicNanos.getAsLong() - known.readAt() < FRESH_NANOS
                    ? known
                    : read(namespace));
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

  private Complaints read(String namespace) {
    Map<String, Complaint> byObject = new HashMap<>();
    for (JsonNode event : cluster.events(namespace, "FailedCreate")) {
      byObject.merge(
          event.path("involvedObject").path("name").asText(),
          new Complaint(
              event.path("lastTimestamp").asText(event.path("eventTime").asText()),
              event.path("message").asText()),
          (one, other) -> one.at().compareTo(other.at()) > 0 ? one : other);
    }
    return new Complaints(monotonicNanos.getAsLong(), byObject);
  }
}
