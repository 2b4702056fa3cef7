// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.SqlState;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.store.quota.QuotaObjectRepository;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * Writes quota objects and jobs in one transaction, all or none; the jobs may refer to the objects.
 * Jobs alone go to {@link SubmissionWriter}, where many requests share a commit.
 */
@ApplicationScoped
public class ApplyTransaction {
  private final QuotaAdministration administration;
  private final QuotaObjectRepository rows;
  private final JobCheck jobCheck;

  ApplyTransaction(
      QuotaAdministration administration, QuotaObjectRepository rows, JobCheck jobCheck) {
    this.administration = administration;
    this.rows = rows;
    this.jobCheck = jobCheck;
  }

  /**
   * Objects and jobs to write together.
   *
   * @param jobs with distinct idempotency keys
   */
  public record Request(
      List<Numbered<QuotaObject>> objects, List<Numbered<Submission>> jobs, Caller caller) {
    public Request {
      objects = List.copyOf(objects);
      jobs = List.copyOf(jobs);
    }
  }

  /** The results for the objects and for the jobs, each in the order of the request. */
  public record Written(List<QuotaAdministration.Applied> objects, List<Acknowledgement> jobs) {}

  /**
   * Writes a request. It is durable once the caller's transaction is committed.
   *
   * @throws RefusedException if any part of it cannot be written; nothing is written then
   * @throws OvertakenException if another transaction came first
   */
  @Transactional
  public Written write(Request request) {
    return write(request, connection -> {}, connection -> {});
  }

  /**
   * As {@link #write(Request)}.
   *
   * @param alongside further writes in the same transaction
   * @param afterwards checks everything written; throws to roll it back
   */
  @Transactional
  public Written write(
      Request request, Consumer<Connection> alongside, Consumer<Connection> afterwards) {
    rows.onConnection(alongside);
    List<Submission> jobs = request.jobs().stream().map(Numbered::value).toList();
    List<Numbered<JobSpec>> fresh = new ArrayList<>();
    rows.onConnection(connection -> fresh.addAll(withoutRepetitions(connection, request)));
    List<QuotaAdministration.Applied> objects =
        administration.apply(request.objects(), fresh, request.caller());
    Written written = new Written(objects, jobs.isEmpty() ? List.of() : submit(request, jobs));
    rows.onConnection(afterwards);
    return written;
  }

  /** The jobs whose idempotency keys are not stored yet; the others are not checked again. */
  private static List<Numbered<JobSpec>> withoutRepetitions(
      Connection connection, Request request) {
    try {
      Repetitions repetitions =
          Repetitions.find(connection, request.jobs().stream().map(Numbered::value).toList());
      return request.jobs().stream()
          .filter(job -> !repetitions.contains(job.value()))
          .map(job -> new Numbered<>(job.document(), job.value().spec()))
          .toList();
    } catch (SQLException failure) {
      throw translated(failure);
    }
  }

  private List<Acknowledgement> submit(Request request, List<Submission> jobs) {
    CompletableFuture<List<Acknowledgement>> answer = new CompletableFuture<>();
    SubmissionRequest submission = new SubmissionRequest(jobs, answer);
    rows.onConnection(connection -> accept(connection, submission));
    try {
      return answer.join();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof RefusedException refused) {
        throw numbered(refused, request);
      }
      throw failure;
    }
  }

  private void accept(Connection connection, SubmissionRequest submission) {
    List<Runnable> answers = new ArrayList<>();
    try {
      if (!new JobAcceptance(jobCheck).accept(connection, List.of(submission), answers)) {
        throw new OvertakenException("an Idempotency-Key was used by another request meanwhile");
      }
      InputRows.tell(connection);
    } catch (SQLException failure) {
      throw translated(failure);
    }
    answers.forEach(Runnable::run);
  }

  private static RuntimeException translated(SQLException failure) {
    if (SqlState.isRolledBack(failure)) {
      return new OvertakenException(String.valueOf(failure.getMessage()));
    }
    return SqlState.isUnstorable(failure)
        ? SubmissionTransaction.unstorable(failure)
        : new TransientStoreException("cannot write the applied objects and jobs", failure);
  }

  /** Converts the job numbers of violations, which count jobs only, to document numbers. */
  private static RefusedException numbered(RefusedException refused, Request request) {
    List<Violation> violations = new ArrayList<>();
    for (Violation found : refused.refusal().violations()) {
      int document = request.jobs().get(found.document() - 1).document();
      violations.add(new Violation(document, found.path(), found.value(), found.message()));
    }
    return violations.isEmpty() ? refused : new RefusedException(violations);
  }
}
