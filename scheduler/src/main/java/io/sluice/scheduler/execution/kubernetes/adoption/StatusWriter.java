// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.scheduler.execution.kubernetes.cluster.Cluster;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * Writes the status of jobs into their objects: on change, at a limited rate per object. A failed
 * write is retried later or dropped, since no decision depends on it.
 */
final class StatusWriter {
  private static final Logger LOG = Logger.getLogger(StatusWriter.class);
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final Cluster cluster;
  private final LongSupplier monotonicNanos;
  private final Map<UUID, Told> told = new HashMap<>();

  private record Told(ObjectStatus status, long at) {}

  StatusWriter(Cluster cluster, LongSupplier monotonicNanos) {
    this.cluster = cluster;
    this.monotonicNanos = monotonicNanos;
  }

  /** Forgets what was written to other objects. */
  void retain(Set<UUID> objects) {
    told.keySet().retainAll(objects);
  }

  /** Whether the rate limit allows another write now. */
  boolean isDue(UUID object) {
    Told last = told.get(object);
    return last == null || monotonicNanos.getAsLong() - last.at() >= PAUSE.toNanos();
  }

  /**
   * Writes a status as a condition, if the kind has any, and as an Event.
   *
   * @param object the object as it was last observed
   */
  void say(SeenObject seen, JsonNode object, ObjectStatus status) {
    ObjectRef ref = seen.ref();
    Told last = told.get(ref.uid());
    boolean isNew = last == null || !last.status().equals(status);
    told.put(ref.uid(), new Told(status, monotonicNanos.getAsLong()));
    try {
      if (!ObjectStatus.hasConditions(ref.kind())) {
        tell(seen.told(), status, isNew);
      } else if (!status.isSaid(object)) {
        JsonNode unused =
            cluster.changeStatus(ref, status.condition(object, Clock.systemUTC().instant()));
        tell(ref, status, isNew && (last == null || !last.status().word().equals(status.word())));
      }
    } catch (ClusterException failure) {
      LOG.debugf("cannot write the status of %s: %s", ref.words(), failure.text());
      told.remove(ref.uid());
    }
  }

  private void tell(ObjectRef ref, ObjectStatus status, boolean isNew) {
    if (isNew) {
      cluster.tell(ref.namespace(), status.event(ref, false, Clock.systemUTC().instant()));
    }
  }

  /** Writes a warning Event, once. */
  void warn(SeenObject seen, String word, String sentence) {
    ObjectRef ref = seen.ref();
    ObjectStatus status = new ObjectStatus(false, word, sentence);
    Told last = told.get(ref.uid());
    if (last != null && last.status().equals(status)) {
      return;
    }
    told.put(ref.uid(), new Told(status, monotonicNanos.getAsLong()));
    try {
      cluster.tell(ref.namespace(), status.event(seen.told(), true, Clock.systemUTC().instant()));
    } catch (ClusterException failure) {
      LOG.debugf("cannot write the status of %s: %s", ref.words(), failure.text());
      told.remove(ref.uid());
    }
  }
}
