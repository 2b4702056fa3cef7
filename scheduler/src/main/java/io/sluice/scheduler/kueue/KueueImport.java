// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kueue;

import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.cluster.AdoptedObjectRows;
import io.sluice.scheduler.store.cluster.AdoptedObjectRows.Standing;
import io.sluice.scheduler.store.cluster.KueuePlace;
import io.sluice.scheduler.store.cluster.KueuePlaceRows;
import io.sluice.scheduler.store.quota.QuotaObjectRepository;
import io.sluice.scheduler.store.quota.StoredObject;
import io.sluice.scheduler.submission.Numbered;
import io.sluice.scheduler.submission.QuotaAdministration;
import io.sluice.scheduler.submission.RefusedException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Writes the quota objects of a plan, and the places of waiting workloads, in one transaction.
 * Adoption creates their jobs afterwards, as soon as Kueue's label takes effect.
 */
@ApplicationScoped
public class KueueImport {
  private final QuotaAdministration administration;
  private final QuotaObjectRepository rows;

  KueueImport(QuotaAdministration administration, QuotaObjectRepository rows) {
    this.administration = administration;
    this.rows = rows;
  }

  /**
   * The result of an import.
   *
   * @param objects in the order of the plan
   * @param placed number of objects that have a place now and no job yet
   * @param here number of waiting workloads that are jobs already
   */
  public record Written(List<QuotaAdministration.Applied> objects, int placed, int here) {}

  /**
   * Writes a plan without refusals; durable when the caller's transaction is committed. Idempotent.
   *
   * @throws RefusedException naming objects by their numbers, if any cannot be written; nothing is
   *     written then
   * @throws io.sluice.scheduler.submission.OvertakenException if another transaction came first
   */
  @Transactional
  public Written write(KueuePlan plan, Caller caller) {
    rows.lockForWriting();
    List<Violation> conflicts = new ArrayList<>();
    List<Numbered<QuotaObject>> objects = new ArrayList<>();
    for (Numbered<QuotaObject> wanted : plan.objects()) {
      StoredObject there = rows.find(wanted.value().key());
      Violation conflict = KueuePlan.conflict(wanted, there == null ? null : there.object());
      if (conflict != null) {
        conflicts.add(conflict);
      }
      objects.add(there == null ? servedAsBefore(wanted) : wanted);
    }
    if (!conflicts.isEmpty()) {
      throw new RefusedException(conflicts);
    }
    List<QuotaAdministration.Applied> applied = administration.apply(objects, List.of(), caller);
    int[] placed = {0};
    rows.onConnection(
        connection -> placed[0] = place(connection, plan.setup().cluster(), plan.places()));
    return new Written(applied, placed[0], plan.places().size() - placed[0]);
  }

  /** A ClusterQueue goes on being served as in Kueue, unless it says otherwise. */
  private static Numbered<QuotaObject> servedAsBefore(Numbered<QuotaObject> wanted) {
    return wanted.value() instanceof ClusterQueue queue
            && queue.meta().annotations().get(Queueing.ANNOTATION) == null
        ? new Numbered<>(
            wanted.document(),
            queue.withQueueing(queue.policies().queueing().withMode(Queueing.Mode.KUEUE)))
        : wanted;
  }

  private static int place(Connection connection, String cluster, List<KueuePlace> waiting) {
    try {
      List<UUID> uids = waiting.stream().map(KueuePlace::uid).toList();
      Map<UUID, Standing> known = AdoptedObjectRows.find(connection, cluster, uids);
      List<KueuePlace> places =
          waiting.stream()
              .filter(
                  place -> {
                    Standing job = known.get(place.uid());
                    return job == null || job.state().terminal();
                  })
              .toList();
      KueuePlaceRows.replace(connection, cluster, places);
      return places.size();
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot write places in Kueue's queues", failure);
    }
  }
}
