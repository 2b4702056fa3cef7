// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.pipeline.Step;
import io.sluice.scheduler.pipeline.definition.PipelineRepository;
import io.sluice.scheduler.pipeline.definition.StoredPipeline;
import io.sluice.scheduler.pipeline.run.RunOutlook;
import io.sluice.scheduler.pipeline.run.RunRepository;
import io.sluice.scheduler.pipeline.run.RunRows;
import io.sluice.scheduler.pipeline.run.RunScope;
import io.sluice.scheduler.pipeline.run.RunStart;
import io.sluice.scheduler.pipeline.run.RunState;
import io.sluice.scheduler.pipeline.run.RunTransaction;
import io.sluice.scheduler.pipeline.run.StepState;
import io.sluice.scheduler.pipeline.run.StoredRun;
import io.sluice.scheduler.pipeline.schedule.ScheduleCheck;
import io.sluice.scheduler.pipeline.schedule.ScheduleRepository;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.AuditRows;
import io.sluice.scheduler.store.OneTransaction;
import io.sluice.scheduler.store.SharedTransactions;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.submission.Precondition;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.submission.RefusedException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The operations of users on pipelines and their runs. Each call is one transaction. */
public final class Pipelines {
  private static final String FAILED = "cannot read or write pipelines";

  private final SharedTransactions transactions;
  private final PipelineRepository pipelines;
  private final ScheduleRepository schedules;
  private final RunRepository runs;

  public Pipelines(
      SharedTransactions transactions,
      PipelineRepository pipelines,
      ScheduleRepository schedules,
      RunRepository runs) {
    this.transactions = transactions;
    this.pipelines = pipelines;
    this.schedules = schedules;
    this.runs = runs;
  }

  /** The result of a save: the stored pipeline, and whether the save created or changed it. */
  public record Saved(StoredPipeline stored, boolean created, boolean changed) {}

  /** A run with its parameters, steps and tries. */
  public record Account(
      StoredRun run,
      Pipeline pipeline,
      Map<String, String> parameters,
      Map<String, RunRows.StepRow> steps,
      List<RunRows.TryRow> tries,
      List<RunOutlook.Change> changes) {}

  /** Saves a pipeline; does nothing if the stored one is equal. */
  public Saved save(Pipeline pipeline, Caller caller) {
    return save(pipeline, Precondition.NONE, caller, connection -> {});
  }

  /**
   * As {@link #save(Pipeline, Caller)}.
   *
   * @param precondition on the version of the stored pipeline
   * @param check examines the database within the transaction, and throws to refuse the pipeline
   * @throws RefusedException if the stored pipeline fails the precondition, or there is a
   *     precondition and no stored pipeline
   */
  public Saved save(
      Pipeline pipeline, Precondition precondition, Caller caller, Consumer<Connection> check) {
    return transaction(
        connection -> {
          check.accept(connection);
          return saveRows(connection, pipeline, precondition, caller);
        });
  }

  /**
   * As {@link #save(Pipeline, Caller)}, in the caller's transaction.
   *
   * @throws TransientStoreException if the database does not answer
   */
  public Saved saveJoined(Pipeline pipeline, Caller caller) {
    return transactions.join(
        "cannot save a pipeline",
        connection -> saveRows(connection, pipeline, Precondition.NONE, caller));
  }

  private Saved saveRows(
      Connection connection, Pipeline pipeline, Precondition precondition, Caller caller)
      throws SQLException {
    String namespace = pipeline.meta().namespace();
    String name = pipeline.meta().name();
    ScheduleCheck.check(pipeline);
    pipelines.lockName(namespace, name);
    StoredPipeline before = pipelines.lock(namespace, name);
    check(precondition, before, namespace, name);
    if (before != null && before.pipeline().equals(pipeline)) {
      return new Saved(before, false, false);
    }
    Instant now = RunTransaction.now(connection);
    pipelines.save(pipeline, before, caller.name(), now);
    schedules.save(before == null ? null : before.pipeline(), pipeline, caller, now);
    audit(
        connection,
        caller,
        before == null ? AuditEntry.Action.CREATE : AuditEntry.Action.UPDATE,
        pipeline);
    StoredPipeline after = pipelines.findByName(namespace, name);
    if (after == null) {
      throw new IllegalStateException("a saved pipeline was not found: " + name);
    }
    return new Saved(after, before == null, true);
  }

  private static void check(
      Precondition precondition, @Nullable StoredPipeline stored, String namespace, String name) {
    if (stored == null) {
      if (precondition != Precondition.NONE) {
        throw RefusedException.stale(
            "there is no pipeline %s in namespace %s to replace".formatted(name, namespace), null);
      }
    } else if (!precondition.holds(stored.version())) {
      throw RefusedException.stale(
          "pipeline %s in namespace %s is at version %d, which is none that was asked for"
              .formatted(name, namespace, stored.version()),
          (long) stored.version());
    }
  }

  private static void audit(
      Connection connection, Caller caller, AuditEntry.Action action, Pipeline pipeline)
      throws SQLException {
    AuditRows.insert(
        connection,
        List.of(
            new AuditEntry(
                caller,
                action,
                "Pipeline",
                pipeline.meta().namespace(),
                pipeline.meta().name(),
                null,
                JsonNodeFactory.instance.objectNode())));
  }

  /**
   * Writes an audit record for an operation on a run.
   *
   * @param step empty: the whole run
   */
  private static void audit(
      Connection connection, Caller caller, AuditEntry.Action action, StoredRun run, String step)
      throws SQLException {
    ObjectNode detail = JsonNodeFactory.instance.objectNode().put("run", run.id().toString());
    if (!step.isEmpty()) {
      detail.put("step", step);
    }
    String name = run.of().name();
    AuditRows.insert(
        connection,
        List.of(new AuditEntry(caller, action, "Run", run.of().namespace(), name, null, detail)));
  }

  /**
   * A pipeline.
   *
   * @throws RefusedException if there is none
   */
  public StoredPipeline find(String namespace, String name) {
    return transaction(() -> require(pipelines.findByName(namespace, name), namespace, name));
  }

  /**
   * A pipeline, for the check of a change.
   *
   * @throws RefusedException if there is none, or it fails the precondition on its version
   */
  public StoredPipeline find(String namespace, String name, Precondition precondition) {
    StoredPipeline found = find(namespace, name);
    check(precondition, found, namespace, name);
    return found;
  }

  private static StoredPipeline require(
      @Nullable StoredPipeline found, String namespace, String name) {
    if (found == null) {
      throw new RefusedException(
          Kind.NOT_FOUND, "there is no pipeline " + name + " in namespace " + namespace);
    }
    return found;
  }

  /**
   * Pipelines, ordered by namespace and name.
   *
   * @param namespaces of which pipelines are listed
   * @param after namespace and name of the last pipeline of the previous page; null: starts with
   *     the first
   */
  public List<StoredPipeline> list(NamespaceScope namespaces, String @Nullable [] after, int most) {
    return transaction(() -> pipelines.list(namespaces, after, most));
  }

  /**
   * Deletes a pipeline. Its runs continue, and can still be read.
   *
   * @throws RefusedException if there is none
   */
  public void remove(String namespace, String name, Caller caller) {
    remove(namespace, name, Precondition.NONE, caller);
  }

  /**
   * As {@link #remove(String, String, Caller)}.
   *
   * @throws RefusedException if there is none, or it fails the precondition on its version
   */
  public void remove(String namespace, String name, Precondition precondition, Caller caller) {
    transaction(
        connection -> {
          StoredPipeline found = require(pipelines.lock(namespace, name), namespace, name);
          check(precondition, found, namespace, name);
          pipelines.remove(namespace, name);
          schedules.edited();
          audit(connection, caller, AuditEntry.Action.DELETE, found.pipeline());
          return found;
        });
  }

  /**
   * A request for a run.
   *
   * @param parameters values by name
   * @param logicalTime null: now
   * @param key idempotency key: a repetition returns the same run; null: each call begins a run
   */
  public record Asked(
      Map<String, JsonNode> parameters, @Nullable Instant logicalTime, @Nullable String key) {}

  /**
   * Begins a run.
   *
   * @throws RefusedException if there is no such pipeline, the values do not match its parameters,
   *     or the key was used for a run with other values
   */
  public StoredRun begin(String namespace, String name, Asked asked, Caller caller) {
    return transaction(
        connection -> {
          StoredPipeline found = require(pipelines.lock(namespace, name), namespace, name);
          ObjectNode parameters = RunStart.parameters(found.pipeline(), asked.parameters());
          UUID id = RunStart.id(found.pipeline(), asked.key(), caller);
          StoredRun before = runs.find(id);
          if (before != null) {
            return same(before, parameters, asked);
          }
          RunStart.Origin origin =
              new RunStart.Origin(null, asked.logicalTime(), caller, RunState.RUNNING, "", null);
          RunStart.insert(connection, id, found, parameters, origin);
          StoredRun begun = run(id);
          audit(connection, caller, AuditEntry.Action.SUBMIT, begun, "");
          return begun;
        });
  }

  private StoredRun same(StoredRun before, ObjectNode parameters, Asked asked) {
    Map<String, String> known = runs.parameters(before.id());
    boolean alike = known.size() == parameters.size();
    for (Map.Entry<String, String> one : known.entrySet()) {
      alike &=
          RunScope.json(one.getValue())
              .equals(RunScope.json(parameters.path(one.getKey()).toString()));
    }
    Instant time = asked.logicalTime();
    if (!alike || (time != null && !time.equals(before.logicalTime()))) {
      throw new RefusedException(
          Kind.KEY_REUSED,
          "the idempotency key was used for run " + before.of().name() + ", with other parameters");
    }
    return before;
  }

  private StoredRun run(UUID id) {
    return require(runs.find(id), id);
  }

  private static StoredRun require(@Nullable StoredRun found, UUID id) {
    if (found == null) {
      throw new RefusedException(Kind.NOT_FOUND, "there is no run " + id);
    }
    return found;
  }

  /** Runs, the newest first. */
  public List<StoredRun> runs(RunRepository.Filter filter, int most) {
    return transaction(() -> runs.list(filter, most));
  }

  /**
   * A run with its parameters, steps and tries.
   *
   * @throws RefusedException if there is none
   */
  public Account account(UUID id) {
    return transaction(
        connection -> {
          StoredRun found = run(id);
          StoredRun.Of of = found.of();
          return new Account(
              found,
              pipelines.version(of.namespace(), of.pipeline(), of.version()),
              runs.parameters(id),
              RunRows.steps(connection, id),
              RunRows.tries(connection, id, false),
              new RunOutlook(connection).changes(id));
        });
  }

  /** The run that a job is part of; empty: it is part of none, or its run was removed. */
  public Optional<StoredRun> runOf(UUID job) {
    return transaction(() -> Optional.ofNullable(runs.ofJob(job)));
  }

  /**
   * A run, for a check before an operation on it.
   *
   * @throws RefusedException if there is none in these namespaces
   */
  public StoredRun find(UUID id, NamespaceScope readable) {
    Optional<StoredRun> found =
        transaction(() -> Optional.ofNullable(runs.find(id)))
            .filter(run -> readable.contains(run.of().namespace()));
    return require(found.orElse(null), id);
  }

  /**
   * Cancels a run: cancels its running jobs, then its exit handler runs. A run that has ended is
   * left as it is.
   *
   * @throws RefusedException if there is none
   */
  public StoredRun cancel(UUID id, Caller caller) {
    return transaction(
        connection -> {
          StoredRun found = require(runs.waitFor(id), id);
          if (!found.state().ended()) {
            runs.cancel(id, "cancelled by " + caller.name());
            audit(connection, caller, AuditEntry.Action.CANCEL, found, "");
            RunRows.tell(connection);
          }
          return run(id);
        });
  }

  /**
   * Resumes a run that failed or was cancelled: steps that did not succeed run again; of a step
   * that fans out, only the parts that did not succeed.
   *
   * @throws RefusedException if there is none, or it neither failed nor was cancelled
   */
  public StoredRun resume(UUID id, Caller caller) {
    return transaction(
        connection -> {
          StoredRun found = require(runs.waitFor(id), id);
          if (found.state() != RunState.FAILED && found.state() != RunState.CANCELLED) {
            throw new RefusedException(
                Kind.CONFLICT,
                "run "
                    + found.of().name()
                    + " is "
                    + found.state()
                    + ": only one that failed or"
                    + " was cancelled can be resumed");
          }
          TreeSet<String> again = new TreeSet<>();
          for (RunRows.StepRow step : RunRows.steps(connection, id).values()) {
            if (step.step().state() != StepState.SUCCEEDED) {
              again.add(step.step().name());
            }
          }
          reopen(connection, found, again, false);
          audit(connection, caller, AuditEntry.Action.RESUME, found, "");
          return run(id);
        });
  }

  /**
   * Runs a step of an ended run again, and all steps that depend on it.
   *
   * @throws RefusedException if there is no such run or step, or the run has not ended
   */
  public StoredRun rerun(UUID id, String step, Caller caller) {
    return transaction(
        connection -> {
          StoredRun found = require(runs.waitFor(id), id);
          StoredRun.Of of = found.of();
          Pipeline pipeline = pipelines.version(of.namespace(), of.pipeline(), of.version());
          if (pipeline.step(step) == null) {
            throw new RefusedException(Kind.NOT_FOUND, "run " + of.name() + " has no step " + step);
          }
          if (!found.state().ended()) {
            throw new RefusedException(
                Kind.CONFLICT, "run " + of.name() + " has not ended: cancel it first");
          }
          reopen(connection, found, withFollowers(pipeline, step), true);
          audit(connection, caller, AuditEntry.Action.RERUN, found, step);
          return run(id);
        });
  }

  /** A step with all its transitive dependents; the exit handler depends on all steps. */
  private static Set<String> withFollowers(Pipeline pipeline, String first) {
    TreeSet<String> all = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(first));
    while (!open.isEmpty()) {
      String name = open.remove();
      if (all.add(name)) {
        for (Step step : pipeline.steps()) {
          if (step.dependsOn().stream().anyMatch(other -> other.step().equals(name))) {
            open.add(step.name());
          }
        }
      }
    }
    return all;
  }

  /**
   * Resets steps so that they run again; keeps parts that succeeded unless all are to run again.
   */
  private void reopen(Connection connection, StoredRun run, Set<String> steps, boolean allParts)
      throws SQLException {
    StoredRun.Of of = run.of();
    Step exit = pipelines.version(of.namespace(), of.pipeline(), of.version()).exitHandler();
    TreeSet<String> reopened = new TreeSet<>(steps);
    TreeSet<String> superseded = new TreeSet<>(allParts ? steps : Set.of());
    if (exit != null) {
      reopened.add(exit.name());
      superseded.add(exit.name());
    }
    RunRows.reopen(connection, run.id(), reopened, superseded);
    runs.reopen(run.id());
    RunRows.record(connection, Map.of(run.id(), reopened));
    RunRows.tell(connection);
  }

  private <T> T transaction(Supplier<T> work) {
    return transactions.run(FAILED, work);
  }

  private <T> T transaction(OneTransaction<T> work) {
    return transactions.run(FAILED, work);
  }
}
