// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

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

  /** Classes of SQLSTATE: a value that no column takes, a broken constraint, a deadlock. */
  private static final String DATA_CLASS = "22";

  private static final String INTEGRITY_CLASS = "23";
  private static final String ROLLED_BACK_CLASS = "40";

  private final DataSource database;
  private final JobCheck check;

  /** Of this thread only: a shape's number is not for others before the commit. */
  private final ShapeRows shapes = new ShapeRows();

  private final QuotaLookup objects = new QuotaLookup();
  private final JobIds ids = new JobIds();

  public SubmissionTransaction(DataSource database, JobCheck check) {
    this.database = database;
    this.check = check;
  }

  /**
   * Writes what can be written and answers those requests after the commit.
   *
   * @return requests that have not been answered
   * @throws TransientStoreException if the database did not answer; none was answered
   */
  List<SubmissionRequest> write(List<SubmissionRequest> requests) {
    try {
      return writeTogether(requests);
    } catch (SQLException failure) {
      String state = String.valueOf(failure.getSQLState());
      if (state.startsWith(ROLLED_BACK_CLASS)) {
        // It waited for another transaction that waited for it; that one has gone on.
        return requests;
      }
      if (state.startsWith(DATA_CLASS) || state.startsWith(INTEGRITY_CLASS)) {
        return writeAlone(requests, failure);
      }
      throw new TransientStoreException("cannot write submissions", failure);
    }
  }

  /** Finds the requests that cannot be stored, so that the others do not suffer from them. */
  private List<SubmissionRequest> writeAlone(
      List<SubmissionRequest> requests, SQLException failure) {
    if (requests.size() == 1) {
      requests.get(0).answer().completeExceptionally(unstorable(failure));
      return List.of();
    }
    List<SubmissionRequest> left = new ArrayList<>();
    requests.forEach(request -> left.addAll(write(List.of(request))));
    return left;
  }

  private static RefusedException unstorable(SQLException failure) {
    String reason = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    return new RefusedException(
        RefusedException.Kind.UNPROCESSABLE, "the database cannot store this: " + reason);
  }

  private List<SubmissionRequest> writeTogether(List<SubmissionRequest> requests)
      throws SQLException {
    List<SubmissionRequest> left = new ArrayList<>();
    List<Runnable> answers = new ArrayList<>();
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        List<Checked> checked = new ArrayList<>();
        Map<ObjectKey, QuotaObject> found =
            check(connection, withoutSharedKeys(requests, left), checked, answers);
        boolean settled = insert(connection, checked, found, answers);
        if (!settled) {
          // Somebody else wrote one of the keys just now; the next try finds it.
          connection.rollback();
          shapes.forget();
          return requests;
        }
        connection.commit();
      } catch (SQLException failure) {
        shapes.forget();
        rollback(connection, failure);
        throw failure;
      }
    }
    answers.forEach(Runnable::run);
    return left;
  }

  private static void rollback(Connection connection, SQLException failure) {
    try {
      connection.rollback();
    } catch (SQLException alsoFailed) {
      failure.addSuppressed(alsoFailed);
    }
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

  private Map<ObjectKey, QuotaObject> check(
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
        checked.add(new Checked(request, newJobs(request, found)));
      } else {
        RefusedException refused = new RefusedException(violations);
        answers.add(() -> request.answer().completeExceptionally(refused));
      }
    }
    return found;
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

  /** Keys stand for the whole request: they are not those of a longer or shorter one. */
  private List<NewJob> newJobs(SubmissionRequest request, Map<ObjectKey, QuotaObject> found) {
    List<String> manifests = new ArrayList<>();
    for (Submission job : request.jobs()) {
      manifests.add(ManifestWriter.writeJson(ManifestWriter.toJson(job.spec())));
    }
    String digest = ShapeRows.digest(String.join("\n", manifests));
    List<NewJob> jobs = new ArrayList<>();
    for (int number = 0; number < manifests.size(); number++) {
      Submission submission = request.jobs().get(number);
      String key = submission.idempotencyKey();
      jobs.add(
          new NewJob(
              ids.next(System.currentTimeMillis()),
              submission.spec(),
              manifests.get(number),
              JobCheck.priority(submission.spec(), found),
              JobCheck.clusterQueue(submission.spec(), found),
              submission.submitter(),
              key == null ? null : new NewJob.Key(key, digest)));
    }
    return jobs;
  }

  /**
   * Inserts what is not there.
   *
   * @return false if a key was taken meanwhile
   */
  private boolean insert(
      Connection connection,
      List<Checked> checked,
      Map<ObjectKey, QuotaObject> found,
      List<Runnable> answers)
      throws SQLException {
    List<NewJob> all = checked.stream().flatMap(one -> one.jobs().stream()).toList();
    Map<String, JobRows.Keyed> known = JobRows.findKeys(connection, all);
    // Keys are looked up first: what was written before is not counted again.
    List<NewJob> fresh = all.stream().filter(job -> find(known, job) == null).toList();
    PendingLimits limits = PendingLimits.of(connection, fresh, found);
    List<NewJob> missing = new ArrayList<>();
    for (Checked one : checked) {
      RefusedException refused = refusal(one, known, limits);
      if (refused == null) {
        one.jobs().stream().filter(job -> find(known, job) == null).forEach(missing::add);
        List<Acknowledgement> acknowledged =
            one.jobs().stream().map(job -> acknowledge(job, find(known, job))).toList();
        answers.add(() -> one.request().answer().complete(acknowledged));
      } else {
        answers.add(() -> one.request().answer().completeExceptionally(refused));
      }
    }
    if (missing.isEmpty()) {
      return true;
    }
    Collection<JobId> written = JobRows.insert(connection, shapes, missing);
    return written.size() == missing.size();
  }

  /** Why a request is not written; null if it is, and counted. */
  private static @Nullable RefusedException refusal(
      Checked one, Map<String, JobRows.Keyed> known, PendingLimits limits) {
    NewJob conflict = conflict(one, known);
    if (conflict != null) {
      return new RefusedException(
          RefusedException.Kind.CONFLICT,
          "Idempotency-Key was used for another job of namespace "
              + conflict.spec().meta().namespace());
    }
    return limits.add(one.jobs().stream().filter(job -> find(known, job) == null).toList());
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
