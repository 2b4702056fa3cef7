// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.ClassDefaults;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.store.job.JobRows;
import io.sluice.scheduler.store.job.NewJob;
import io.sluice.scheduler.store.job.ShapeRows;
import io.sluice.scheduler.store.quota.KnownObjects;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * Answers repeated requests, checks the jobs of the others, and inserts those of the valid
 * requests, in a transaction that the caller begins and ends.
 *
 * <p>Used by one thread.
 */
public final class JobAcceptance {
  /** A request, and its jobs with the defaults of their compute classes. */
  private record Filled(SubmissionRequest request, List<FilledJob> jobs) {
    /** The same with the time limits of the jobs' queues. */
    Filled limited(Map<ObjectKey, QuotaObject> found) {
      List<FilledJob> limited = new ArrayList<>();
      for (int number = 0; number < jobs.size(); number++) {
        boolean documented = request.jobs().get(number).documents() != null;
        limited.add(jobs.get(number).limited(found, documented));
      }
      return new Filled(request, limited);
    }
  }

  /** A valid request with the jobs to store. */
  private record Checked(Filled filled, List<NewJob> jobs) {
    SubmissionRequest request() {
      return filled.request();
    }

    List<Acknowledgement> acknowledgements() {
      List<Acknowledgement> acknowledged = new ArrayList<>();
      for (int number = 0; number < jobs.size(); number++) {
        JobId id = jobs.get(number).id();
        acknowledged.add(new Acknowledgement(id, false, filled.jobs().get(number)));
      }
      return acknowledged;
    }
  }

  /** A request that is not valid, or exceeds a limit. */
  private record Refused(SubmissionRequest request, RefusedException reason) {
    void answer() {
      request.answer().completeExceptionally(reason);
    }
  }

  private final JobCheck check;

  /**
   * Private to this thread: the number of a new shape is not valid for others before the commit.
   */
  private final ShapeRows shapes = new ShapeRows();

  private final KnownObjects objects = new KnownObjects();

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
    List<SubmissionRequest> fresh = withoutRepetitions(connection, requests, answers);
    List<Refused> refused = new ArrayList<>();
    boolean inserted = fresh.isEmpty() || insertValid(connection, fresh, refused, answers);
    refused.forEach(one -> answers.add(one::answer));
    return inserted;
  }

  /**
   * As {@link #accept}, of which it returns false also if a request repeats one. It looks up the
   * keys of those requests only that it would refuse, since few requests repeat one.
   */
  boolean acceptNew(Connection connection, List<SubmissionRequest> requests, List<Runnable> answers)
      throws SQLException {
    List<Refused> refused = new ArrayList<>();
    if (!insertValid(connection, requests, refused, answers)) {
      return false;
    }
    List<SubmissionRequest> fresh =
        withoutRepetitions(connection, refused.stream().map(Refused::request).toList(), answers);
    refused.stream()
        .filter(one -> fresh.contains(one.request()))
        .forEach(one -> answers.add(one::answer));
    return true;
  }

  /** Checks requests whose keys are not in use, and inserts the jobs of the valid ones. */
  private boolean insertValid(
      Connection connection,
      List<SubmissionRequest> requests,
      List<Refused> refused,
      List<Runnable> answers)
      throws SQLException {
    List<Checked> checked = new ArrayList<>();
    Map<ObjectKey, QuotaObject> found = check(connection, requests, checked, refused);
    return insert(connection, checked, found, refused, answers);
  }

  /** Answers the requests that use stored keys, and returns the others. */
  private static List<SubmissionRequest> withoutRepetitions(
      Connection connection, List<SubmissionRequest> requests, List<Runnable> answers)
      throws SQLException {
    List<Submission> all = requests.stream().flatMap(request -> request.jobs().stream()).toList();
    Repetitions repetitions = Repetitions.find(connection, all);
    List<SubmissionRequest> fresh = new ArrayList<>();
    for (SubmissionRequest request : requests) {
      try {
        List<Acknowledgement> before = repetitions.answer(request.jobs());
        if (before == null) {
          fresh.add(request);
        } else {
          answers.add(() -> request.answer().complete(before));
        }
      } catch (RefusedException refused) {
        answers.add(() -> request.answer().completeExceptionally(refused));
      }
    }
    return fresh;
  }

  /** Drops cached shape numbers after a rollback. */
  public void forget() {
    shapes.forget();
  }

  private Map<ObjectKey, QuotaObject> check(
      Connection connection,
      List<SubmissionRequest> requests,
      List<Checked> checked,
      List<Refused> refused)
      throws SQLException {
    TreeSet<ObjectKey> named = new TreeSet<>();
    for (SubmissionRequest request : requests) {
      request.jobs().forEach(job -> named.addAll(JobCheck.references(job.spec())));
    }
    objects.hold(connection);
    Map<ObjectKey, QuotaObject> found = objects.find(connection, named);
    List<Filled> classed = requests.stream().map(request -> fill(request, found)).toList();
    findMore(connection, classed, (job, known) -> JobCheck.references(job), found);
    List<Filled> filled = classed.stream().map(request -> request.limited(found)).toList();
    findMore(connection, filled, JobCheck::queueOf, found);
    findMore(connection, filled, JobCheck::flavorsOf, found);
    for (Filled request : filled) {
      List<Violation> violations = new ArrayList<>();
      for (int number = 1; number <= request.jobs().size(); number++) {
        FilledJob job = request.jobs().get(number - 1);
        Submission sent = request.request().jobs().get(number - 1);
        violations.addAll(check.violations(number, job, found));
        violations.addAll(
            check.whoRuns(
                number,
                job.spec(),
                sent.documents(),
                () -> sent.submitter().podRules(job.spec().meta().namespace())));
      }
      if (violations.isEmpty()) {
        checked.add(new Checked(request, newJobs(request, found)));
      } else {
        refused.add(new Refused(request.request(), new RefusedException(violations)));
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

  private List<NewJob> newJobs(Filled request, Map<ObjectKey, QuotaObject> found) {
    List<Submission> submitted = request.request().jobs();
    List<String> manifests = new ArrayList<>();
    for (int number = 0; number < request.jobs().size(); number++) {
      manifests.add(
          RequestDigest.manifest(submitted.get(number), request.jobs().get(number).spec()));
    }
    boolean keyed = submitted.stream().anyMatch(job -> job.idempotencyKey() != null);
    String digest = keyed ? RequestDigest.of(manifests) : "";
    String sentDigest = keyed ? sentDigest(request, digest) : "";
    List<NewJob> jobs = new ArrayList<>();
    for (int number = 0; number < manifests.size(); number++) {
      Submission submission = submitted.get(number);
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
              key == null ? null : new NewJob.Key(key, digest, sentDigest),
              submission.since()));
    }
    return jobs;
  }

  /**
   * The digest of a request as it was sent.
   *
   * @param digest of the request with the defaults of compute classes and queues
   */
  private static String sentDigest(Filled request, String digest) {
    boolean complete = request.jobs().stream().allMatch(FilledJob::asSent);
    return complete ? digest : RequestDigest.sent(request.request().jobs());
  }

  /**
   * Inserts jobs.
   *
   * @return false if another transaction took a key meanwhile
   */
  private boolean insert(
      Connection connection,
      List<Checked> checked,
      Map<ObjectKey, QuotaObject> found,
      List<Refused> refused,
      List<Runnable> answers)
      throws SQLException {
    List<NewJob> all = checked.stream().flatMap(one -> one.jobs().stream()).toList();
    PendingLimits limits = PendingLimits.of(connection, all, found);
    List<NewJob> accepted = new ArrayList<>();
    for (Checked one : checked) {
      RefusedException reason = limits.add(one.jobs());
      if (reason == null) {
        accepted.addAll(one.jobs());
        answers.add(() -> one.request().answer().complete(one.acknowledgements()));
      } else {
        refused.add(new Refused(one.request(), reason));
      }
    }
    return accepted.isEmpty()
        || JobRows.insert(connection, shapes, accepted).size() == accepted.size();
  }
}
