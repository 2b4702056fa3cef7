// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.sluice.manifests.rendering.AdoptedEdits;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterException;
import io.sluice.scheduler.execution.kubernetes.cluster.ClusterKind;
import io.sluice.scheduler.execution.kubernetes.cluster.LabelledAttempt;
import io.sluice.scheduler.execution.kubernetes.cluster.ObjectRef;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.cluster.ClusterObject;
import io.sluice.scheduler.store.cluster.ClusterObjectRows.Standing;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jboss.logging.Logger;

/**
 * Garbage-collects Sluice's objects in a cluster: suspended objects that were never committed,
 * objects of ended attempts, and after a while objects that are over. It leaves alone objects of
 * jobs that this database does not know, since another installation owns them, and objects that
 * users created.
 */
final class Sweep {
  private static final Logger LOG = Logger.getLogger(Sweep.class);

  /** Longer than any server takes from creating an object to committing it. */
  static final Duration ORPHANED_AFTER = Duration.ofMinutes(1);

  /** Time for which ended objects stay for inspection. */
  static final Duration KEPT_FOR = Duration.ofHours(1);

  private final ClusterWork work;
  private final Predicate<AttemptKey> lookedAfter;
  private final LongSupplier monotonicNanos;
  private final Map<UUID, Long> firstSeen = new HashMap<>();

  /**
   * Creates the sweep of a cluster.
   *
   * @param lookedAfter whether this server runs the attempt
   */
  Sweep(ClusterWork work, Predicate<AttemptKey> lookedAfter, LongSupplier monotonicNanos) {
    this.work = work;
    this.lookedAfter = lookedAfter;
    this.monotonicNanos = monotonicNanos;
  }

  private record Found(ClusterObject object, ObjectRef ref, boolean over, Duration age) {}

  /** Sweeps the objects in the watch's cache; lists nothing. */
  void run() {
    if (!work.watch().isComplete() || !work.lead().holds()) {
      return;
    }
    Map<UUID, Found> found = find();
    firstSeen.keySet().retainAll(found.keySet());
    found.values().removeIf(one -> one.age().compareTo(ORPHANED_AFTER) < 0);
    if (found.isEmpty()) {
      return;
    }
    try {
      List<ClusterObject> objects = found.values().stream().map(Found::object).toList();
      work.rows()
          .standings(work.cluster().name(), objects)
          .forEach(
              (uid, standing) -> {
                Found one = found.get(uid);
                if (one != null) {
                  sweep(one, standing);
                }
              });
    } catch (TransientStoreException failure) {
      LOG.warnf(
          "cannot sweep cluster %s; retrying: %s", work.cluster().name(), failure.getMessage());
    }
  }

  private Map<UUID, Found> find() {
    Map<UUID, Found> found = new HashMap<>();
    work.watch()
        .owners()
        .forEach((kind, owners) -> owners.forEach(owner -> add(kind, owner, found)));
    return found;
  }

  private void add(ClusterKind kind, GenericKubernetesResource owner, Map<UUID, Found> found) {
    LabelledAttempt of = LabelledAttempt.of(owner.getMetadata().getLabels());
    boolean byItself =
        owner.getMetadata().getOwnerReferences().isEmpty()
            && owner.getMetadata().getDeletionTimestamp() == null;
    boolean theirs = owner.getMetadata().getAnnotations().containsKey(AdoptedEdits.ADOPTED);
    if (of == null || theirs || !byItself || lookedAfter.test(of.key())) {
      return;
    }
    boolean over = Observation.of(kind, owner, List.of(), Integer.MAX_VALUE).over();
    UUID uid = UUID.fromString(owner.getMetadata().getUid());
    long now = monotonicNanos.getAsLong();
    Long before = firstSeen.putIfAbsent(uid, now);
    Duration age = Duration.ofNanos(now - (before == null ? now : before));
    ObjectRef ref =
        new ObjectRef(
            kind,
            owner.getMetadata().getNamespace(),
            owner.getMetadata().getName(),
            uid,
            owner.getMetadata().getResourceVersion());
    ClusterObject object = ref.written(work.cluster().name(), of.key(), of.generation(), true);
    found.put(uid, new Found(object, ref, over, age));
  }

  private void sweep(Found one, Standing standing) {
    boolean orphan = !standing.written();
    boolean left = standing.written() && standing.ended() && !one.over();
    boolean old =
        standing.written()
            && standing.ended()
            && one.over()
            && !standing.kept()
            && one.age().compareTo(KEPT_FOR) > 0;
    if (standing.known() && (orphan || left || old)) {
      LOG.infof(
          "%s is deleted: %s",
          one.ref().words(),
          orphan ? "it was never committed" : left ? "its attempt has ended" : "it is over");
      try {
        boolean unused = work.cluster().delete(one.ref(), Duration.ZERO);
      } catch (ClusterException failure) {
        LOG.warn(failure.text());
      }
    }
  }
}
