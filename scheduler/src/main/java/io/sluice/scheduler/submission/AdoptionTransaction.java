// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.AuditRows;
import io.sluice.scheduler.store.SqlState;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.cluster.AdoptedObject;
import io.sluice.scheduler.store.cluster.AdoptedObjectRows;
import io.sluice.scheduler.store.cluster.AdoptedObjectRows.Standing;
import io.sluice.scheduler.store.cluster.KueuePlace;
import io.sluice.scheduler.store.cluster.KueuePlaceRows;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.store.leadership.LeaderRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Creates jobs for objects that users created in clusters, and cancels the jobs of objects that
 * their users withdrew. Each call is one transaction, fenced by the leader's epoch.
 *
 * <p>Used by one thread.
 */
public final class AdoptionTransaction {
  private final DataSource database;
  private final JobAcceptance acceptance;

  public AdoptionTransaction(DataSource database, JobCheck check) {
    this.database = database;
    this.acceptance = new JobAcceptance(check);
  }

  private interface Work {
    void run(Connection connection) throws SQLException;
  }

  /**
   * Submits a version of an object as a job, unless it was submitted before. Requests the
   * cancellation of the previous version's job. An object imported from Kueue keeps its waiting
   * time.
   *
   * @param object the version after {@code former}, or the first
   * @param former the last known version; null: none
   * @param canceller cancels the job of the previous version
   * @throws RefusedException if it cannot be a job
   * @throws io.sluice.scheduler.store.leadership.LostEpochException if another server leads
   * @throws TransientStoreException if the database does not answer
   */
  public void adopt(
      AdoptedObject object,
      @Nullable Standing former,
      Caller canceller,
      Submission submission,
      long epoch) {
    inTransaction(
        epoch,
        connection -> {
          Standing last =
              AdoptedObjectRows.find(connection, object.cluster(), List.of(object.uid()))
                  .get(object.uid());
          int before = last == null ? 0 : last.object().version();
          if (before != object.version() - 1) {
            return;
          }
          if (former != null && !former.state().terminal()) {
            wish(connection, former, canceller, "edited");
          }
          KueuePlace place = KueuePlaceRows.take(connection, object.cluster(), object.uid());
          Submission placed =
              place == null ? submission : submission.waitingSince(place.since(), place.held());
          AdoptedObjectRows.insert(connection, object, submit(connection, placed));
        });
  }

  private JobId submit(Connection connection, Submission submission) throws SQLException {
    CompletableFuture<List<Acknowledgement>> answer = new CompletableFuture<>();
    List<Runnable> answers = new ArrayList<>();
    SubmissionRequest request = new SubmissionRequest(List.of(submission), answer);
    if (!acceptance.accept(connection, List.of(request), answers)) {
      throw new IllegalStateException("a submission without a key collided with another one");
    }
    InputRows.tell(connection);
    answers.forEach(Runnable::run);
    try {
      return answer.join().get(0).job();
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof RefusedException refused) {
        throw refused;
      }
      throw failure;
    }
  }

  /**
   * Requests the cancellation of the job of an object that its user withdrew.
   *
   * @param why in a word, for the audit
   * @throws io.sluice.scheduler.store.leadership.LostEpochException if another server leads
   * @throws TransientStoreException if the database does not answer
   */
  public void cancel(Standing adopted, Caller who, String why, long epoch) {
    inTransaction(epoch, connection -> wish(connection, adopted, who, why));
  }

  private static void wish(Connection connection, Standing adopted, Caller who, String why)
      throws SQLException {
    InputRows.append(connection, List.of(new Input.CancelJob(adopted.job(), who.name())));
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    detail.put("object", why);
    AdoptedObject object = adopted.object();
    AuditRows.insert(
        connection,
        List.of(
            new AuditEntry(
                who,
                AuditEntry.Action.CANCEL,
                "Job",
                object.namespace(),
                object.name(),
                adopted.job(),
                detail)));
  }

  private void inTransaction(long epoch, Work work) {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        LeaderRow.holdEpoch(connection, epoch);
        work.run(connection);
        connection.commit();
      } catch (SQLException | RuntimeException failure) {
        acceptance.forget();
        connection.rollback();
        throw failure;
      }
    } catch (SQLException failure) {
      if (SqlState.isUnstorable(failure)) {
        throw SubmissionTransaction.unstorable(failure);
      }
      throw new TransientStoreException("cannot write an adopted object", failure);
    }
  }
}
