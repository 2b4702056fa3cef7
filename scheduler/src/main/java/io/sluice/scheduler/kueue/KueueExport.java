// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.kueue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.KueueObjects;
import io.sluice.manifests.field.Schema;
import io.sluice.manifests.foreign.KueueJobs;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.job.UnendedJobs;
import io.sluice.scheduler.store.job.UnendedJobs.Unended;
import io.sluice.scheduler.store.quota.QuotaObjectRepository;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Exports the quota objects as manifests for Kueue, with the owners of the jobs. */
@ApplicationScoped
public class KueueExport {
  private static final int JOBS_MAX = 5_000;

  private final QuotaObjectRepository rows;

  KueueExport(QuotaObjectRepository rows) {
    this.rows = rows;
  }

  /**
   * An export, as of one time.
   *
   * @param objects for Kueue's CRDs, each after those that it names
   * @param ours objects of kinds that Kueue does not have
   * @param jobs that have not ended, the oldest first
   * @param more whether there are more jobs than listed
   */
  public record Exported(
      List<ObjectNode> objects, List<ObjectKey> ours, List<Exported.Job> jobs, boolean more) {
    /**
     * A job that has not ended.
     *
     * @param documents its manifests for Kueue; none if it is already an object of a cluster, runs,
     *     or was submitted as a spec of ours
     */
    public record Job(Unended job, List<ObjectNode> documents) {}
  }

  /** Reads the export; concurrent writes of quota objects wait. */
  @Transactional
  public Exported read() {
    rows.lockForWriting();
    List<ObjectNode> objects = new ArrayList<>();
    List<ObjectKey> ours = new ArrayList<>();
    for (ObjectKind kind : ObjectKind.values()) {
      for (QuotaObject object : rows.all(kind)) {
        if (kind == ObjectKind.COMPUTE_CLASS || Schema.isOurs(kind)) {
          ours.add(object.key());
        } else {
          objects.add(KueueObjects.give(object));
        }
      }
    }
    List<Exported.Job> jobs = new ArrayList<>();
    rows.onConnection(connection -> jobs.addAll(jobs(connection)));
    boolean more = jobs.size() > JOBS_MAX;
    return new Exported(objects, ours, more ? jobs.subList(0, JOBS_MAX) : jobs, more);
  }

  private static List<Exported.Job> jobs(Connection connection) {
    try {
      return UnendedJobs.list(connection, JOBS_MAX + 1).stream()
          .map(job -> new Exported.Job(job, documents(job)))
          .toList();
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read jobs that have not ended", failure);
    }
  }

  private static List<ObjectNode> documents(Unended job) {
    String manifest = job.manifest();
    return manifest == null || !job.pending()
        ? List.of()
        : KueueJobs.give(manifest, job.namespace(), job.queue());
  }
}
