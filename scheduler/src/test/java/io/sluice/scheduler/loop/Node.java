// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.CapacityProvider;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.execution.ReportWriter;
import io.sluice.scheduler.execution.simulated.SimulatedExecutor;
import io.sluice.scheduler.lifecycle.LeaderPart;
import io.sluice.scheduler.lifecycle.Lease;
import io.sluice.scheduler.notification.NotificationListener;
import io.sluice.scheduler.notification.WakeUps;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.store.input.InputWriter;
import io.sluice.scheduler.store.leadership.Candidate;
import io.sluice.scheduler.store.leadership.LeaderRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

/** The leading and following parts of a server, with the simulated executor and without HTTP. */
final class Node implements AutoCloseable {
  private static final HistorySettings HISTORY =
      new HistorySettings(10_000, Duration.ofDays(14), Duration.ofDays(90));

  final PartedDatabase database;
  final CommittedView view = new CommittedView();
  final AtomicReference<String> failed = new AtomicReference<>("");
  private final LeaderWatch part = new LeaderWatch();
  private final ReportWriter reports;
  private final SimulatedExecutor executor;
  private final ServerRole role;
  private final WakeUps wakeUps;
  private final NotificationListener listener;

  /** A leader part that does nothing. */
  private static final class LeaderWatch implements LeaderPart {
    private volatile Lease lease = Lease.NONE;

    @Override
    public void beginLeading(Lease held) {
      lease = held;
    }

    @Override
    public void endLeading() {
      lease = Lease.NONE;
    }
  }

  Node(TestDatabase test, String name, Duration lease) {
    this(new PartedDatabase(test), name, lease);
  }

  Node(PartedDatabase database, String name, Duration lease) {
    this.database = database;
    this.wakeUps = new WakeUps(database);
    this.reports =
        new ReportWriter(new InputWriter(database, () -> wakeUps.announce(InputRows.CHANNEL)));
    this.executor = new SimulatedExecutor(reports);
    this.role =
        new ServerRole(
            database,
            new Candidate(name, "http://" + name, lease),
            view,
            new LeaderWork(
                database,
                view,
                executor,
                CapacityProvider.NONE,
                () -> {},
                () -> wakeUps.announce(LeaderRow.CHANNEL),
                HISTORY),
            List.of(part),
            failed::set);
    role.start();
    wakeUps.wakeHere(Map.of(InputRows.CHANNEL, role::wakeLoop));
    wakeUps.start();
    this.listener =
        new NotificationListener(
            database,
            wakeUps,
            Map.of(InputRows.CHANNEL, role::wakeLoop, LeaderRow.CHANNEL, role::wake));
    listener.start();
  }

  /** Makes the leader decide a round that changes nothing. */
  static void cancelUnknownJob(TestDatabase test) {
    JobId unknown = JobId.parse("01a1fd32-2207-7081-8b8b-396e83942357");
    new InputWriter(test.dataSource()).append(List.of(new Input.CancelJob(unknown, "test")));
  }

  /** Waits until a condition holds. */
  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    Instant deadline = Instant.now().plus(LiveServer.PATIENCE);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).as(what).isBefore(deadline);
      Thread.sleep(20);
    }
  }

  boolean leads() {
    return role.leads();
  }

  /** Whether leader parts may work on this node. */
  boolean partsWork() {
    return part.lease.holds();
  }

  /** Returns the epoch that this node knows; 0 if there was no leader yet. */
  long epoch() {
    LeaderRow leader = role.leader();
    return leader == null ? 0 : leader.epoch();
  }

  @Override
  public void close() {
    listener.close();
    role.close();
    executor.close();
    reports.close();
    wakeUps.close();
  }
}
