// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.agroal.api.AgroalDataSource;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.job.Input;
import io.sluice.scheduler.config.DataDirectory;
import io.sluice.scheduler.config.FleetFile;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.config.StartException;
import io.sluice.scheduler.execution.Dispatcher;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.execution.ReportSink;
import io.sluice.scheduler.execution.ReportWriter;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.execution.local.LocalExecutor;
import io.sluice.scheduler.execution.local.LocalExecutorSettings;
import io.sluice.scheduler.execution.simulated.SimulatedExecutor;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.loop.DecisionLoop;
import io.sluice.scheduler.loop.InputListener;
import io.sluice.scheduler.store.AttemptReader;
import io.sluice.scheduler.store.InputWriter;
import io.sluice.scheduler.store.Leadership;
import io.sluice.scheduler.store.ShapeRows;
import io.sluice.scheduler.submission.JobCheck;
import io.sluice.scheduler.submission.SubmissionTransaction;
import io.sluice.scheduler.submission.SubmissionWriter;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Puts the parts of the application together, starts them in order and ends them in reverse. */
@Singleton
public class ServerLifecycle {
  private static final Logger LOG = Logger.getLogger(ServerLifecycle.class);

  private final AgroalDataSource database;
  private final Fleet fleet;
  private final CommittedView view = new CommittedView();
  private final JobCheck jobCheck;
  private final SubmissionWriter submissions;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final ReportWriter reports;
  private final Executor executor;
  private final VirtualCapacity capacity;
  private @Nullable String endedBecause;

  ServerLifecycle(AgroalDataSource database, ServerSettings settings) {
    this.database = database;
    this.fleet = settings.fleet().map(FleetFile::read).orElse(Fleet.EMPTY);
    this.jobCheck = new JobCheck(() -> fleet);
    ShapeRows shapes = new ShapeRows();
    this.submissions =
        new SubmissionWriter(() -> new SubmissionTransaction(database, jobCheck, shapes));
    this.capacity =
        new VirtualCapacity(
            question -> view.ask(question).value(),
            new InputWriter(database)::append,
            Clock.systemUTC());
    this.reports = new ReportWriter(new InputWriter(database));
    this.executor = executor(settings, reports);
  }

  private Executor executor(ServerSettings settings, ReportSink sink) {
    return fleet.executor() == ExecutorKind.SIMULATED
        ? new SimulatedExecutor(sink)
        : new LocalExecutor(
            LocalExecutorSettings.of(DataDirectory.executor(settings.data()), () -> fleet), sink);
  }

  void start(@Observes StartupEvent event) throws SQLException {
    Leadership lead =
        Leadership.take(database.getConnection(), "pid " + ProcessHandle.current().pid());
    if (lead == null) {
      throw new StartException("another server leads this database");
    }
    started.push(lead);
    started.push(reports);
    started.push(executor);
    Dispatcher dispatcher = new Dispatcher(executor, new AttemptReader(database));
    started.push(dispatcher);
    DecisionLoop loop =
        new DecisionLoop(database, lead.epoch(), view, dispatcher, capacity, this::endBecause);
    loop.start();
    started.push(loop);
    started.push(capacity);
    capacity.start();
    started.push(new InputListener(database, loop::wake));
    started.push(submissions);
    if (!fleet.equals(view.ask(state -> state.fleet()).value())) {
      new InputWriter(database).append(List.of(new Input.SetFleet(fleet)));
    }
  }

  private void endBecause(String reason) {
    LOG.errorf("the server ends: %s", reason);
    endedBecause = reason;
    Quarkus.asyncExit(1);
  }

  /** Why the server is ending of itself; null if it is not. */
  public @Nullable String endedBecause() {
    return endedBecause;
  }

  void stop(@Observes ShutdownEvent event) {
    while (!started.isEmpty()) {
      AutoCloseable part = started.pop();
      try {
        part.close();
      } catch (Exception failure) {
        LOG.warnf(failure, "%s did not end well", part.getClass().getSimpleName());
      }
    }
  }

  @Produces
  @Singleton
  CommittedView view() {
    return view;
  }

  @Produces
  @Singleton
  JobCheck jobCheck() {
    return jobCheck;
  }

  @Produces
  @Singleton
  SubmissionWriter submissions() {
    return submissions;
  }

  @Produces
  @Singleton
  VirtualCapacity capacity() {
    return capacity;
  }

  @Produces
  @Singleton
  Executor executor() {
    return executor;
  }
}
