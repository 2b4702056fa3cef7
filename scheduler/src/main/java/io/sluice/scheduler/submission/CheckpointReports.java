// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.input.InputWriter;
import io.sluice.scheduler.store.job.AttemptReader;
import io.sluice.scheduler.store.job.StoredJob;
import java.util.List;
import javax.sql.DataSource;

/**
 * Takes a program's report of the checkpoint that its attempt has reached. A report that is not
 * current is refused here, so that the program learns of it. If the attempt ends before the round
 * that reads the report, the report changes nothing either.
 */
public final class CheckpointReports {
  private final AttemptReader attempts;
  private final InputWriter inputs;

  public CheckpointReports(DataSource database) {
    this.attempts = new AttemptReader(database);
    this.inputs = new InputWriter(database);
  }

  /**
   * Stores the report durably, with an audit entry for its sender.
   *
   * @param generation the attempt's generation that saved the checkpoint
   * @param text valid text of a report
   * @throws RefusedException if there is no such attempt, or it or the generation is over
   * @throws TransientStoreException if the database does not answer
   */
  public void report(
      StoredJob job, AttemptKey attempt, int generation, String text, Caller caller) {
    refuseWhatIsOver(attempt, generation);
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    detail.put("index", attempt.index());
    detail.put("attempt", attempt.attempt());
    detail.put("generation", generation);
    detail.put("text", text);
    AttemptReport report =
        new AttemptReport(attempt, generation, AttemptReport.Kind.CHECKPOINT, null, text);
    inputs.append(
        List.of(new Input.Report(report)),
        List.of(
            new AuditEntry(
                caller,
                AuditEntry.Action.CHECKPOINT,
                "Job",
                job.origin().namespace(),
                job.origin().name(),
                job.id(),
                detail)));
  }

  /** An older generation counts until the next one has started, as in the engine. */
  private void refuseWhatIsOver(AttemptKey attempt, int generation) {
    AttemptReader.Standing standing = attempts.standing(attempt);
    String who = "attempt " + attempt.attempt() + " of index " + attempt.index();
    if (standing == null) {
      throw new RefusedException(
          RefusedException.Kind.CONFLICT, "there is no " + who + " of job " + attempt.job());
    }
    if (standing.state() == AttemptState.ENDED) {
      throw new RefusedException(RefusedException.Kind.CONFLICT, who + " has ended");
    }
    if (generation > standing.generation()) {
      throw new RefusedException(
          RefusedException.Kind.CONFLICT,
          "%s has no generation %d: it is at generation %d"
              .formatted(who, generation, standing.generation()));
    }
    if (generation < standing.generation() && standing.settled()) {
      throw new RefusedException(
          RefusedException.Kind.CONFLICT,
          "generation %d of %s is over: it is at generation %d"
              .formatted(generation, who, standing.generation()));
    }
  }
}
