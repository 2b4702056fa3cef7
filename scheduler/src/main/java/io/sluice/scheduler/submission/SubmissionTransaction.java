// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.manifests.ManifestWriter;
import io.sluice.manifests.Violation;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.store.JobRows;
import io.sluice.scheduler.store.NewJob;
import io.sluice.scheduler.store.QuotaLookup;
import io.sluice.scheduler.store.ShapeRows;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writes requests in one transaction. Each is in one of three states at its end: written (or found
 * written before), refused, or left for the next transaction because another request of this one
 * uses the same idempotency key.
 *
 * <p>Used by one thread.
 */
public final class SubmissionTransaction {
  /** A request whose jobs are in order, with what each becomes. */
  private record Checked(SubmissionRequest request, List<NewJob> jobs) {}

  private final DataSource database;
  private final JobCheck check;
  private final ShapeRows shapes;
  private final QuotaLookup objects = new QuotaLookup();
  private final JobIds ids = new JobIds();

  public SubmissionTransaction(DataSource database, JobCheck check, ShapeRows shapes) {
    this.database = database;
    this.check = check;
    this.shapes = shapes;
  }

  /**
   * Writes what can be written and answers those requests after the commit.
   *
   * @return requests that have not been answered
   * @throws TransientStoreException if the database did not answer; none was answered
   */
  List<SubmissionRequest> write(List<SubmissionRequest> requests) {
    List<SubmissionRequest> left = new ArrayList<>();
    List<Runnable> answers = new ArrayList<>();
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        List<Checked> checked = new ArrayList<>();
        check(connection, withoutSharedKeys(requests, left), checked, answers);
        boolean settled = insert(connection, checked, answers);
        if (!settled) {
          // Somebody else wrote one of the keys just now; the next try finds it.
          connection.rollback();
          shapes.forget();
          return requests;
        }
        connection.commit();
      } catch (SQLException failure) {
        connection.rollback();
        shapes.forget();
        throw failure;
      }
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot write submissions", failure);
    }
    answers.forEach(Runnable::run);
    return left;
  }

  /** Of requests that use one key, the first; the others are left. */
  private static List<SubmissionRequest> withoutSharedKeys(
      List<SubmissionRequest> requests, List<SubmissionRequest> left) {
    List<SubmissionRequest> taken = new ArrayList<>();
    TreeSet<String> keys = new TreeSet<>();
    for (SubmissionRequest request : requests) {
      List<String> own = new ArrayList<>();
      for (Submission job : request.jobs()) {
        if (job.idempotencyKey() != null) {
          own.add(job.spec().meta().namespace() + "/" + job.idempotencyKey());
        }
      }
      if (own.stream().anyMatch(keys::contains)) {
        left.add(request);
      } else {
        keys.addAll(own);
        taken.add(request);
      }
    }
    return taken;
  }

  private void check(
      Connection connection,
      List<SubmissionRequest> requests,
      List<Checked> checked,
      List<Runnable> answers)
      throws SQLException {
    TreeSet<ObjectKey> named = new TreeSet<>();
    for (SubmissionRequest request : requests) {
      request.jobs().forEach(job -> named.addAll(JobCheck.references(job.spec())));
    }
    Map<ObjectKey, QuotaObject> found = objects.find(connection, named);
    findMore(connection, requests, JobCheck::queueOf, found);
    findMore(connection, requests, JobCheck::flavorsOf, found);
    for (SubmissionRequest request : requests) {
      List<Violation> violations = new ArrayList<>();
      for (int number = 1; number <= request.jobs().size(); number++) {
        violations.addAll(check.violations(number, request.jobs().get(number - 1).spec(), found));
      }
      if (violations.isEmpty()) {
        checked.add(
            new Checked(request, request.jobs().stream().map(job -> newJob(job, found)).toList()));
      } else {
        RefusedException refused = new RefusedException(violations);
        answers.add(() -> request.answer().completeExceptionally(refused));
      }
    }
  }

  /** What jobs depend on through what they name. */
  private void findMore(
      Connection connection,
      List<SubmissionRequest> requests,
      BiFunction<JobSpec, Map<ObjectKey, QuotaObject>, List<ObjectKey>> dependencies,
      Map<ObjectKey, QuotaObject> found)
      throws SQLException {
    TreeSet<ObjectKey> more = new TreeSet<>();
    for (SubmissionRequest request : requests) {
      request.jobs().forEach(job -> more.addAll(dependencies.apply(job.spec(), found)));
    }
    more.removeAll(found.keySet());
    if (!more.isEmpty()) {
      found.putAll(objects.find(connection, more));
    }
  }

  private NewJob newJob(Submission submission, Map<ObjectKey, QuotaObject> found) {
    ObjectNode manifest = ManifestWriter.toJson(submission.spec());
    String json = ManifestWriter.writeJson(manifest);
    String key = submission.idempotencyKey();
    return new NewJob(
        ids.next(System.currentTimeMillis()),
        submission.spec(),
        json,
        JobCheck.priority(submission.spec(), found),
        JobCheck.clusterQueue(submission.spec(), found),
        key == null ? null : new NewJob.Key(key, ShapeRows.digest(json)));
  }

  /**
   * Inserts what is not there.
   *
   * @return false if a key was taken meanwhile
   */
  private boolean insert(Connection connection, List<Checked> checked, List<Runnable> answers)
      throws SQLException {
    List<NewJob> all = checked.stream().flatMap(one -> one.jobs().stream()).toList();
    Map<String, JobRows.Keyed> known = JobRows.findKeys(connection, all);
    List<NewJob> missing = new ArrayList<>();
    for (Checked one : checked) {
      NewJob conflict = conflict(one, known);
      if (conflict == null) {
        one.jobs().stream().filter(job -> find(known, job) == null).forEach(missing::add);
        List<Acknowledgement> acknowledged =
            one.jobs().stream().map(job -> acknowledge(job, find(known, job))).toList();
        answers.add(() -> one.request().answer().complete(acknowledged));
      } else {
        RefusedException refused =
            new RefusedException(
                RefusedException.Kind.CONFLICT,
                "Idempotency-Key was used for another job of namespace "
                    + conflict.spec().meta().namespace());
        answers.add(() -> one.request().answer().completeExceptionally(refused));
      }
    }
    if (missing.isEmpty()) {
      return true;
    }
    Collection<JobId> written = JobRows.insert(connection, shapes, missing);
    return written.size() == missing.size();
  }

  private static JobRows.@Nullable Keyed find(Map<String, JobRows.Keyed> known, NewJob job) {
    NewJob.Key key = job.key();
    return key == null ? null : known.get(job.spec().meta().namespace() + "/" + key.key());
  }

  /** The first job whose key is another one's. */
  private static @Nullable NewJob conflict(Checked one, Map<String, JobRows.Keyed> known) {
    for (NewJob job : one.jobs()) {
      JobRows.Keyed other = find(known, job);
      if (other != null && job.key() != null && !other.digest().equals(job.key().digest())) {
        return job;
      }
    }
    return null;
  }

  private static Acknowledgement acknowledge(NewJob job, JobRows.@Nullable Keyed before) {
    return before == null
        ? new Acknowledgement(job.id(), false)
        : new Acknowledgement(before.id(), true);
  }
}
