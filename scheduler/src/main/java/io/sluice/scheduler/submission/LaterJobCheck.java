// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.ClassDefaults;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.queuemodel.quota.policy.PodRules;
import io.sluice.scheduler.store.quota.QuotaLookup;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Checks a job that will be submitted later, such as that of a pipeline's step. Separates errors
 * that keep it from ever running on this server from those that an administrator may still cure.
 */
public final class LaterJobCheck {
  private final JobCheck check;

  public LaterJobCheck(JobCheck check) {
    this.check = check;
  }

  /**
   * The violations of a job.
   *
   * @param never not cured by any edit of a quota object: executor, fleet, amounts
   * @param notYet objects that do not exist or do not match, which an administrator may still
   *     change
   */
  public record Finding(List<Violation> never, List<Violation> notYet) {
    public Finding {
      never = List.copyOf(never);
      notYet = List.copyOf(notYet);
    }
  }

  /** Checks a job against the objects that a transaction sees. */
  public Finding check(Connection connection, int document, Manifest.JobManifest written)
      throws SQLException {
    JobSpec spec = written.job();
    List<Violation> never = new ArrayList<>(check.never(document, spec));
    // The rules of whoever submits it then are checked then.
    never.addAll(check.whoRuns(document, spec, written.documents(), () -> PodRules.UNRESTRICTED));
    Map<ObjectKey, QuotaObject> found = QuotaLookup.find(connection, JobCheck.references(spec));
    FilledJob filled =
        written.documents() == null
            ? FilledJob.of(spec, found)
            : new FilledJob(spec, ClassDefaults.NONE);
    findMore(connection, JobCheck.references(filled.spec()), found);
    findMore(connection, JobCheck.queueOf(filled.spec(), found), found);
    findMore(connection, JobCheck.flavorsOf(filled.spec(), found), found);
    return new Finding(never, filled.blamed(check.notYet(document, filled.spec(), found)));
  }

  private static void findMore(
      Connection connection, Collection<ObjectKey> keys, Map<ObjectKey, QuotaObject> found)
      throws SQLException {
    TreeSet<ObjectKey> more = new TreeSet<>(keys);
    more.removeAll(found.keySet());
    if (!more.isEmpty()) {
      found.putAll(QuotaLookup.find(connection, more));
    }
  }
}
