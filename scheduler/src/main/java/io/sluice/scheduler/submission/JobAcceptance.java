// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.manifests.ManifestWriter;
import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.ClassDefaults;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.store.job.JobRows;
import io.sluice.scheduler.store.job.NewJob;
import io.sluice.scheduler.store.job.ShapeRows;
import io.sluice.scheduler.store.quota.QuotaLookup;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Checks the jobs of requests and inserts those of the valid requests, in a transaction that the
 * caller begins and ends.
 *
 * <p>Used by one thread.
 */
public final class JobAcceptance {
  /** A request, and its jobs with the defaults of their compute classes. */
  private record Filled(SubmissionRequest request, List<FilledJob> jobs) {}

  /** A valid request with the jobs to store. */
  private record Checked(Filled filled, List<NewJob> jobs) {
    SubmissionRequest request() {
      return filled.request();
    }

    Acknowledgement acknowledgement(int number, JobRows.@Nullable Keyed before) {
      JobId id = before == null ? jobs.get(number).id() : before.id();
      return new Acknowledgement(id, before != null, filled.jobs().get(number));
    }
  }

  private final JobCheck check;

  /**
   * Private to this thread: the number of a new shape is not valid for others before the commit.
   */
  private final ShapeRows shapes = new ShapeRows();

  private final QuotaLookup objects = new QuotaLookup();
  private final JobIds ids = new JobIds();

  public JobAcceptance(JobCheck check) {
    this.check = check;
  }

  /**
   * Accepts or refuses requests, no two of which share an idempotency key.
   *
   * @param answers receives one answer per request; to be delivered after the commit
   * @return false if another transaction has just written one of the keys: this transaction must be
   *     rolled back, and the next one finds the key
   */
  public boolean accept(
      Connection connection, List<SubmissionRequest> requests, List<Runnable> answers)
      throws SQLException {
    List<Checked> checked = new ArrayList<>();
    Map<ObjectKey, QuotaObject> found = check(connection, requests, checked, answers);
    return insert(connection, checked, found, answers);
  }

  /** Drops cached shape numbers after a rollback. */
  public void forget() {
    shapes.forget();
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
    List<Filled> filled = requests.stream().map(request -> fill(request, found)).toList();
    findMore(connection, filled, (job, known) -> JobCheck.references(job), found);
    findMore(connection, filled, JobCheck::queueOf, found);
    findMore(connection, filled, JobCheck::flavorsOf, found);
    for (Filled request : filled) {
      List<Violation> violations = new ArrayList<>();
      for (int number = 1; number <= request.jobs().size(); number++) {
        FilledJob job = request.jobs().get(number - 1);
        String documents = request.request().jobs().get(number - 1).documents();
        violations.addAll(check.violations(number, job, found));
        violations.addAll(check.whoRuns(number, job.spec(), documents));
      }
      if (violations.isEmpty()) {
        checked.add(new Checked(request, newJobs(request, found)));
      } else {
        RefusedException refused = new RefusedException(violations);
        answers.add(() -> request.request().answer().completeExceptionally(refused));
      }
    }
    return found;
  }

  private static Filled fill(SubmissionRequest request, Map<ObjectKey, QuotaObject> found) {
    return new Filled(request, request.jobs().stream().map(job -> fill(job, found)).toList());
  }

  /** A manifest of Kubernetes stays as it is: defaults are not added to it. */
  private static FilledJob fill(Submission job, Map<ObjectKey, QuotaObject> found) {
    return job.documents() == null
        ? FilledJob.of(job.spec(), found)
        : new FilledJob(job.spec(), ClassDefaults.NONE);
  }

  /** Looks up objects that jobs depend on and that are not found yet. */
  private void findMore(
      Connection connection,
      List<Filled> requests,
      BiFunction<JobSpec, Map<ObjectKey, QuotaObject>, List<ObjectKey>> dependencies,
      Map<ObjectKey, QuotaObject> found)
      throws SQLException {
    TreeSet<ObjectKey> more = new TreeSet<>();
    for (Filled request : requests) {
      request.jobs().forEach(job -> more.addAll(dependencies.apply(job.spec(), found)));
    }
    more.removeAll(found.keySet());
    if (!more.isEmpty()) {
      found.putAll(objects.find(connection, more));
    }
  }

  /** Each key covers the whole request, so the same key in a longer or shorter request differs. */
  private List<NewJob> newJobs(Filled request, Map<ObjectKey, QuotaObject> found) {
    List<String> manifests = new ArrayList<>();
    for (int number = 0; number < request.jobs().size(); number++) {
      String documents = request.request().jobs().get(number).documents();
      JobSpec spec = request.jobs().get(number).spec();
      manifests.add(
          documents == null ? ManifestWriter.writeJson(ManifestWriter.toJson(spec)) : documents);
    }
    String digest = ShapeRows.digest(String.join("\n", manifests));
    List<NewJob> jobs = new ArrayList<>();
    for (int number = 0; number < manifests.size(); number++) {
      Submission submission = request.request().jobs().get(number);
      JobSpec spec = request.jobs().get(number).spec();
      String key = submission.idempotencyKey();
      jobs.add(
          new NewJob(
              ids.next(System.currentTimeMillis()),
              spec,
              manifests.get(number),
              JobCheck.priority(spec, found),
              check.shape(spec),
              JobCheck.clusterQueue(spec, found),
              submission.submitter(),
              key == null ? null : new NewJob.Key(key, digest),
              submission.since()));
    }
    return jobs;
  }

  /**
   * Inserts the jobs that are not stored yet.
   *
   * @return false if another transaction took a key meanwhile
   */
  private boolean insert(
      Connection connection,
      List<Checked> checked,
      Map<ObjectKey, QuotaObject> found,
      List<Runnable> answers)
      throws SQLException {
    List<NewJob> all = checked.stream().flatMap(one -> one.jobs().stream()).toList();
    Map<String, JobRows.Keyed> known = JobRows.findKeys(connection, all);
    // Keys are looked up first, so that a replayed job is not counted again.
    List<NewJob> fresh = all.stream().filter(job -> find(known, job) == null).toList();
    PendingLimits limits = PendingLimits.of(connection, fresh, found);
    List<NewJob> missing = new ArrayList<>();
    for (Checked one : checked) {
      RefusedException refused = refusal(one, known, limits);
      if (refused == null) {
        one.jobs().stream().filter(job -> find(known, job) == null).forEach(missing::add);
        List<Acknowledgement> acknowledged = acknowledge(one, known);
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

  /** The reason to refuse a request; null if it is accepted, and counted in the limits. */
  private static @Nullable RefusedException refusal(
      Checked one, Map<String, JobRows.Keyed> known, PendingLimits limits) {
    NewJob conflict = conflict(one, known);
    if (conflict != null) {
      return new RefusedException(
          RefusedException.Kind.KEY_REUSED,
          "Idempotency-Key was used for another job of namespace "
              + conflict.spec().meta().namespace());
    }
    return limits.add(one.jobs().stream().filter(job -> find(known, job) == null).toList());
  }

  private static JobRows.@Nullable Keyed find(Map<String, JobRows.Keyed> known, NewJob job) {
    NewJob.Key key = job.key();
    return key == null ? null : known.get(job.spec().meta().namespace() + "/" + key.key());
  }

  /** The first job whose key belongs to a different job. */
  private static @Nullable NewJob conflict(Checked one, Map<String, JobRows.Keyed> known) {
    for (NewJob job : one.jobs()) {
      JobRows.Keyed other = find(known, job);
      if (other != null && job.key() != null && !other.digest().equals(job.key().digest())) {
        return job;
      }
    }
    return null;
  }

  private static List<Acknowledgement> acknowledge(Checked one, Map<String, JobRows.Keyed> known) {
    List<Acknowledgement> acknowledged = new ArrayList<>();
    for (int number = 0; number < one.jobs().size(); number++) {
      acknowledged.add(one.acknowledgement(number, find(known, one.jobs().get(number))));
    }
    return acknowledged;
  }
}
