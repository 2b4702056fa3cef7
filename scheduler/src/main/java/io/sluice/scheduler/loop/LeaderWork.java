// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.admission.CapacityProvider;
import io.sluice.scheduler.execution.Dispatcher;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.store.leadership.Leadership;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** The work of a leader: the decision loop, dispatch to the executor, snapshots, the archive. */
final class LeaderWork {
  private final DataSource database;
  private final CommittedView view;
  private final Executor executor;
  private final CapacityProvider capacity;
  private final Runnable firstThing;
  private final Runnable whenCommitted;
  private final HistorySettings history;

  /**
   * Work that is not started.
   *
   * @param firstThing run by each server when it becomes the leader
   * @param whenCommitted called after each batch, to wake followers
   * @param history the retention of past decisions
   */
  public LeaderWork(
      DataSource database,
      CommittedView view,
      Executor executor,
      CapacityProvider capacity,
      Runnable firstThing,
      Runnable whenCommitted,
      HistorySettings history) {
    this.database = database;
    this.view = view;
    this.executor = executor;
    this.capacity = capacity;
    this.firstThing = firstThing;
    this.whenCommitted = whenCommitted;
    this.history = history;
  }

  /**
   * Starts the work.
   *
   * @param whenEnded told the reason if it ends by itself
   */
  Begun begin(Leadership lead, Consumer<String> whenEnded) {
    Dispatcher dispatcher = new Dispatcher(executor, database, lead);
    try {
      firstThing.run();
      SnapshotKeeper snapshots = new SnapshotKeeper(database, lead, view, history);
      snapshots.start();
      try {
        DecisionLoop loop =
            new DecisionLoop(database, lead, view, dispatcher, capacity, whenCommitted, whenEnded);
        loop.start();
        Archiver archiver = new Archiver(database, lead, history.archiveAfter());
        archiver.start();
        return new Begun(loop, snapshots, archiver, dispatcher, executor);
      } catch (RuntimeException failure) {
        snapshots.close();
        throw failure;
      }
    } catch (RuntimeException failure) {
      dispatcher.close();
      throw failure;
    }
  }

  /** The work of one leadership. */
  static final class Begun implements AutoCloseable {
    private final DecisionLoop loop;
    private final SnapshotKeeper snapshots;
    private final Archiver archiver;
    private final Dispatcher dispatcher;
    private final Executor executor;

    private Begun(
        DecisionLoop loop,
        SnapshotKeeper snapshots,
        Archiver archiver,
        Dispatcher dispatcher,
        Executor executor) {
      this.loop = loop;
      this.snapshots = snapshots;
      this.archiver = archiver;
      this.dispatcher = dispatcher;
      this.executor = executor;
    }

    void wake() {
      loop.wake();
    }

    /** Ends it; decisions are committed if this server still leads. */
    @Override
    public void close() {
      loop.close();
      snapshots.close();
      archiver.close();
      dispatcher.close();
      executor.stepDown();
    }
  }
}
