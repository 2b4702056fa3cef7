// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.admission.AdmissionRound;
import io.sluice.admission.CapacityProvider;
import io.sluice.admission.Journal;
import io.sluice.admission.invariant.Invariants;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.execution.Dispatcher;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.input.SetAsideCounts;
import io.sluice.scheduler.store.journal.StateLoad;
import io.sluice.scheduler.store.leadership.Leadership;
import io.sluice.scheduler.store.leadership.LostEpochException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs the leader's rounds in a thread of its own: when woken, when a deadline is due, and every
 * second in case a wake-up was lost.
 *
 * <p>PostgreSQL is the source of truth. Where memory and database may differ (a batch was refused,
 * an invariant failed), the loop discards its memory and reads it back. If an input is at fault,
 * {@link InputTrial} sets it aside. If that does not help, or another server leads, the loop ends
 * and reports the reason.
 */
final class DecisionLoop implements AutoCloseable {
  /** Period of the poll for inputs whose notification was lost. */
  static final Duration POLL = Duration.ofSeconds(1);

  /**
   * Shortest time from the beginning of a step to the next one that a wake-up begins. Under load,
   * inputs gather meanwhile, so that a batch is worth its commit; a first input does not wait.
   */
  static final Duration PACE = Duration.ofMillis(5);

  /** Pause after the database did not answer. */
  static final Duration PAUSE = Duration.ofMillis(500);

  /** Number of times in a row that memory is read back before the loop gives up. */
  static final int REBUILDS_MAX = 3;

  /** Number of undecided heads that a log line names. */
  private static final int NAMED_MAX = 10;

  private static final Logger LOG = Logger.getLogger(DecisionLoop.class);

  private final DataSource database;
  private final Leadership lead;
  private final CommittedView view;
  private final Dispatcher dispatcher;
  private final CapacityProvider capacity;
  private final Runnable whenCommitted;
  private final Consumer<String> whenEnded;
  private final Semaphore wake = new Semaphore(0);
  private final Thread thread;
  private StateLoad.@Nullable Loaded begin;
  private final InputTrial trial;
  private List<Long> suspects = List.of();
  private volatile boolean closed;

  /**
   * A loop that is not started.
   *
   * @param lead for as long as the loop runs
   * @param view includes the last durable batch; memory is made from it
   * @param whenCommitted called after each batch, to wake followers
   * @param whenEnded told the reason if the loop ends by itself
   */
  public DecisionLoop(
      DataSource database,
      Leadership lead,
      CommittedView view,
      Dispatcher dispatcher,
      CapacityProvider capacity,
      Runnable whenCommitted,
      Consumer<String> whenEnded) {
    this.database = database;
    this.lead = lead;
    this.view = view;
    this.dispatcher = dispatcher;
    this.capacity = capacity;
    this.whenCommitted = whenCommitted;
    this.whenEnded = whenEnded;
    this.trial = new InputTrial(view.setAsideInputs());
    this.thread = new Thread(this::run, "decision-loop");
  }

  /**
   * Creates memory from the view, has executors adopt what an earlier server left, and starts.
   *
   * @throws StoreException if the database cannot be read
   */
  public void start() {
    // In pieces, since requests read the view meanwhile.
    CommittedView.Answer<StateSnapshot> copy = view.copy();
    StateLoad.Loaded loaded = new StateLoad.Loaded(copy.value(), copy.sequence());
    dispatcher.recover(loaded.snapshot().attempts().stream().map(AttemptRecord::key).toList());
    begin = loaded;
    view.setAsideInputs().clear();
    thread.start();
  }

  /** Wakes the loop: there may be new inputs. */
  public void wake() {
    if (wake.availablePermits() == 0) {
      wake.release();
    }
  }

  private void run() {
    int rebuilds = 0;
    while (!closed) {
      suspects = List.of();
      long begun = System.nanoTime();
      String reason;
      try {
        runUntilFailure();
        return;
      } catch (LostEpochException lost) {
        whenEnded.accept(lost.getMessage());
        return;
      } catch (RuntimeException | Error failure) {
        LOG.error("memory is read back from the database", failure);
        reason = String.valueOf(failure.getMessage());
      }
      if (trial.failed(suspects, reason)) {
        wake(); // A round with inputs follows the round without at once.
        continue;
      }
      boolean lasted = System.nanoTime() - begun > Duration.ofMinutes(1).toNanos();
      rebuilds = lasted ? 1 : rebuilds + 1;
      if (rebuilds > REBUILDS_MAX) {
        whenEnded.accept(reason);
        return;
      }
    }
  }

  private void runUntilFailure() {
    StateLoad.Loaded loaded = begin == null ? readBack() : begin;
    begin = null;
    AdmissionState state = AdmissionState.restore(loaded.snapshot(), view.policy());
    List<String> violations = Invariants.violations(state);
    if (!violations.isEmpty()) {
      throw new IllegalStateException("the stored state is wrong: " + violations);
    }
    try (PostgresJournal journal =
            new PostgresJournal(database, lead, this::committed, this::wake, trial);
        DatabaseClock clock = new DatabaseClock(database)) {
      AdmissionRound round =
          new AdmissionRound(state, loaded.lastSequence(), journal, dispatcher, clock, capacity);
      round.resume();
      try {
        while (!closed) {
          stepAndWait(round);
        }
      } finally {
        suspects = journal.suspects();
      }
    }
  }

  private void committed(Journal.Batch batch) {
    view.apply(batch);
    whenCommitted.run();
  }

  /** A batch whose commit is still in progress would be decided a second time once it arrives. */
  private StateLoad.Loaded readBack() {
    long deadline = System.nanoTime() + PostgresJournal.PATIENCE.toNanos();
    while (true) {
      try {
        lead.awaitCommits();
        return view.load(database);
      } catch (TransientStoreException failure) {
        if (closed || lead.lost() != null || System.nanoTime() > deadline) {
          throw failure;
        }
        LOG.warn(failure.getMessage());
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private void stepAndWait(AdmissionRound round) {
    Duration pause;
    long begun = System.nanoTime();
    try {
      AdmissionRound.Step step = round.step();
      view.watch().stepped(Duration.ofNanos(System.nanoTime() - begun), round.inFlight());
      noteUndecided(step.undecided());
      pause = step.again() ? Duration.ZERO : untilNext(step.nextTimerAt(), step.now());
    } catch (TransientStoreException failure) {
      LOG.warn(failure.getMessage());
      pause = PAUSE;
    }
    try {
      if (wake.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        long left = begun + PACE.toNanos() - System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(pause.isZero() ? 0 : left);
        wake.drainPermits();
      }
    } catch (InterruptedException interrupted) {
      closed = true;
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Reports a fault of the engine: the log and the explanations name the heads; rounds continue.
   */
  private void noteUndecided(List<JobId> heads) {
    if (!heads.isEmpty()) {
      LOG.errorf(
          "a cycle decided nothing about %d heads of queues, which were passed over: %s",
          heads.size(), heads.subList(0, Math.min(heads.size(), NAMED_MAX)));
      heads.forEach(head -> view.watch().setAside().add(SetAsideCounts.Kind.HEAD));
      view.noteUndecided(heads);
    }
  }

  private static Duration untilNext(@Nullable Instant timer, Instant now) {
    if (timer == null) {
      return POLL;
    }
    Duration until = Duration.between(now, timer).plusMillis(1);
    if (until.isNegative()) {
      return Duration.ZERO;
    }
    return until.compareTo(POLL) < 0 ? until : POLL;
  }

  /** Ends after the current round; its decisions are committed. */
  @Override
  public void close() {
    closed = true;
    wake();
    ThreadEnd.await(thread);
    view.setAsideInputs().clear();
  }
}
