// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.scheduler.store.SqlState;
import io.sluice.scheduler.store.TransientStoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import javax.sql.DataSource;

/**
 * Writes requests in one transaction. At its end each request is written (or was written before),
 * refused, or left for the next transaction, because another request of this one uses the same
 * idempotency key.
 *
 * <p>Used by one thread.
 */
public final class SubmissionTransaction {
  private final DataSource database;
  private final JobAcceptance acceptance;
  private final Runnable whenWritten;

  /** Whether the last transaction met a stored idempotency key, and was rolled back. */
  private boolean keysRepeated;

  /**
   * A transaction.
   *
   * @param whenWritten called after the commit of jobs, to wake the leader
   */
  public SubmissionTransaction(DataSource database, JobCheck check, Runnable whenWritten) {
    this.database = database;
    this.acceptance = new JobAcceptance(check);
    this.whenWritten = whenWritten;
  }

  /**
   * Writes the valid requests, and answers all that it decided after the commit.
   *
   * @return requests that are not answered yet
   * @throws TransientStoreException if the database did not answer; none was answered
   */
  List<SubmissionRequest> write(List<SubmissionRequest> requests) {
    try {
      return writeTogether(requests);
    } catch (SQLException failure) {
      if (SqlState.isRolledBack(failure)) {
        // PostgreSQL resolved a deadlock against this transaction; the other one has gone on.
        return requests;
      }
      if (SqlState.isUnstorable(failure)) {
        return writeAlone(requests, failure);
      }
      throw new TransientStoreException("cannot write submissions", failure);
    }
  }

  /** Writes requests one by one, so that one that cannot be stored does not fail the others. */
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

  static RefusedException unstorable(SQLException failure) {
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
        List<SubmissionRequest> taken = withoutSharedKeys(requests, left);
        boolean accepted =
            keysRepeated
                ? acceptance.accept(connection, taken, answers)
                : acceptance.acceptNew(connection, taken, answers);
        keysRepeated = !accepted;
        if (!accepted) {
          connection.rollback();
          acceptance.forget();
          return requests;
        }
        connection.commit();
      } catch (SQLException failure) {
        acceptance.forget();
        rollback(connection, failure);
        throw failure;
      }
    }
    whenWritten.run();
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

  /** The first request of each key; the others are left for the next transaction. */
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
}
