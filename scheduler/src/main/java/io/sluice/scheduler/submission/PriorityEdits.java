// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quarkus.security.ForbiddenException;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.AuditRows;
import io.sluice.scheduler.store.OneTransaction;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.store.job.StoredJob;
import io.sluice.scheduler.store.quota.QuotaLookup;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import javax.sql.DataSource;

/**
 * Changes the priority class of a job. The value of the class is resolved now, as at a submission,
 * and stored with the request; later edits of the class change nothing.
 */
public final class PriorityEdits {
  private final DataSource database;

  public PriorityEdits(DataSource database) {
    this.database = database;
  }

  /**
   * Stores the request durably, with an audit entry for the caller.
   *
   * @param job that had not ended when it was read
   * @return the priority that the class gives to the job
   * @throws RefusedException if the class does not exist or is not allowed, or, as in Kueue, if a
   *     job without a class is running
   * @throws TransientStoreException if the database does not answer
   */
  public WorkloadPriority prioritize(StoredJob job, String className, Caller caller) {
    JobSpec submitted = ManifestReader.readStoredJob(job.manifest()).job();
    JobSpec changed = submitted.withPriorityClass(className);
    refuseClassOfRunning(job, submitted);
    return OneTransaction.run(
        database, "cannot write inputs", connection -> write(connection, job, changed, caller));
  }

  private static void refuseClassOfRunning(StoredJob job, JobSpec submitted) {
    boolean none = job.queue().changedClass() == null && submitted.priority().className() == null;
    boolean waits =
        switch (job.state()) {
          case SUBMITTED, PENDING -> true;
          case ADMITTED, RUNNING, DRAINING, SUCCEEDED, FAILED, CANCELLED -> false;
        };
    if (none && !waits) {
      throw new RefusedException(
          RefusedException.Kind.CONFLICT,
          "job %s was submitted without a priority class and is %s: it can be given one while it is pending"
              .formatted(job.id(), job.state()));
    }
  }

  /** An operator may have a role binding with a ceiling. */
  private static void checkOperator(Caller caller, JobSpec job, WorkloadPriority priority) {
    String namespace = job.meta().namespace();
    OptionalInt ceiling = caller.priorityCeiling(namespace);
    if (ceiling.isPresent() && priority.value() > ceiling.getAsInt()) {
      throw new ForbiddenException(
          "%s, may give a priority of at most %d in namespace %s; class %s has %d"
              .formatted(
                  caller.described(),
                  ceiling.getAsInt(),
                  namespace,
                  job.priority().className(),
                  priority.value()));
    }
  }

  private static WorkloadPriority write(
      Connection connection, StoredJob job, JobSpec changed, Caller caller) throws SQLException {
    Map<ObjectKey, QuotaObject> found =
        QuotaLookup.find(connection, new TreeSet<>(JobCheck.references(changed)));
    List<Violation> violations = new ArrayList<>(JobCheck.ofPriorityClass(1, changed, found));
    boolean bound = !caller.mayEverywhere(Right.ADMINISTER);
    if (bound) {
      violations.addAll(JobCheck.ofPriorityCeilings(1, changed, found));
    }
    if (!violations.isEmpty()) {
      throw new RefusedException(violations);
    }
    WorkloadPriority priority = JobCheck.priority(changed, found);
    if (bound) {
      checkOperator(caller, changed, priority);
    }
    String className = String.valueOf(changed.priority().className());
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    detail.put("priorityClass", className).put("priority", priority.value());
    InputRows.append(
        connection, List.of(new Input.PrioritizeJob(job.id(), caller.name(), className, priority)));
    AuditEntry entry =
        new AuditEntry(
            caller,
            AuditEntry.Action.PRIORITIZE,
            "Job",
            job.origin().namespace(),
            job.origin().name(),
            job.id(),
            detail);
    AuditRows.insert(connection, List.of(entry));
    return priority;
  }
}
