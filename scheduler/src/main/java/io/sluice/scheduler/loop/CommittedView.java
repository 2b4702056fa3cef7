// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.admission.Journal;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.SnapshotWalk;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.Changes;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.input.SetAsideInputs;
import io.sluice.scheduler.store.journal.StateLoad;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The engine's state as of a durable batch: on the leader the last one, on a follower the last one
 * that it has read. All answers to callers come from here, because the leader's working state runs
 * ahead of what is durable.
 */
public final class CommittedView {
  /** Number of jobs that are copied while batches wait. */
  static final int COPIED_AT_ONCE = 1_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();
  private final EnginePolicy policy;
  private final DecisionWatch watch;
  private final SetAsideInputs setAsideInputs;
  private AdmissionState state;
  private long sequence;
  private boolean follows;
  private @Nullable BatchListener listener;

  /** Published at each batch, so that requests read it without the lock. */
  private volatile List<QuotaObject> memberships = List.of();

  /** Snapshots in progress: one for the history, one for a preview. */
  private final List<SnapshotWalk> walks = new ArrayList<>();

  /** An empty view under the default policy. */
  public CommittedView() {
    this(EnginePolicy.DEFAULT);
  }

  /** An empty view without a decision watch. */
  public CommittedView(EnginePolicy policy) {
    this(policy, DecisionWatch.NONE);
  }

  /**
   * An empty view.
   *
   * @param watch told of each batch that this server makes durable, and of each step of its rounds
   */
  public CommittedView(EnginePolicy policy, DecisionWatch watch) {
    this.policy = policy;
    this.watch = watch;
    this.setAsideInputs = new SetAsideInputs(watch.setAside());
    this.state = AdmissionState.restore(StateSnapshot.empty(), policy);
  }

  /** Observer of the decisions that this server makes while it leads. */
  DecisionWatch watch() {
    return watch;
  }

  /** Inputs that this server could not process while it leads, and leaves unconsumed. */
  public SetAsideInputs setAsideInputs() {
    return setAsideInputs;
  }

  /** The policy by which the engine decides and explains. */
  public EnginePolicy policy() {
    return policy;
  }

  /**
   * Replaces the state by what the database holds.
   *
   * @throws TransientStoreException if it cannot be read
   */
  StateLoad.Loaded load(DataSource database) {
    try (Connection connection = database.getConnection()) {
      StateLoad.Loaded loaded = StateLoad.read(connection);
      reset(loaded.snapshot(), loaded.lastSequence());
      return loaded;
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read the state back", failure);
    }
  }

  /** Tells a listener the sequence of this view, and from now on each batch that it takes in. */
  public void listen(BatchListener told) {
    lock.lock();
    try {
      listener = told;
      told.loaded(sequence);
    } finally {
      lock.unlock();
    }
  }

  private void reset(StateSnapshot snapshot, long lastSequence) {
    AdmissionState restored = AdmissionState.restore(snapshot, policy);
    lock.lock();
    try {
      state = restored;
      walks.clear();
      sequence = lastSequence;
      memberships = state.objects().memberships();
      advanced.signalAll();
      if (listener != null) {
        listener.loaded(lastSequence);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Applies a batch that this server has made durable. */
  void apply(Journal.Batch batch) {
    lock.lock();
    try {
      if (!walks.isEmpty()) {
        Set<JobId> touched = touched(batch.changes());
        walks.forEach(walk -> walk.keep(touched));
      }
      follows = false;
      takeIn(batch.sequence(), batch.now(), batch.events());
      watch.committed(batch, state);
    } finally {
      lock.unlock();
    }
  }

  /** Notes heads for which a cycle of this server reached no decision, for explanations. */
  void noteUndecided(List<JobId> heads) {
    lock.lock();
    try {
      heads.forEach(state.tries()::noteUndecided);
    } finally {
      lock.unlock();
    }
  }

  private static Set<JobId> touched(Changes changes) {
    Set<JobId> jobs = new TreeSet<>();
    changes.jobs().forEach(job -> jobs.add(job.workload().id()));
    changes.attempts().forEach(attempt -> jobs.add(attempt.key().job()));
    return jobs;
  }

  /**
   * Applies a durable batch.
   *
   * @throws IllegalStateException if it is not the next one or contradicts the state; the view must
   *     be loaded again then
   */
  void apply(long next, Instant now, List<Event> events) {
    lock.lock();
    try {
      // The rows that it touches are unknown, so snapshots in progress cannot continue.
      walks.clear();
      follows = true;
      takeIn(next, now, events);
    } finally {
      lock.unlock();
    }
  }

  private void takeIn(long next, Instant now, List<Event> events) {
    if (next != sequence + 1) {
      throw new IllegalStateException("batch %d after %d".formatted(next, sequence));
    }
    PlacedEvents placed =
        listener != null && listener.wantsEvents() ? new PlacedEvents(state) : null;
    for (Event event : events) {
      if (placed == null) {
        state.apply(event, now);
      } else {
        placed.apply(event, now);
      }
    }
    state.noteRound(now);
    // Indices whose backoff has ended are pending again, as they are in the round.
    state.advance(now);
    state.collectChanges();
    sequence = next;
    memberships = state.objects().memberships();
    advanced.signalAll();
    if (listener != null) {
      listener.tookIn(next, now, placed == null ? null : placed.all());
    }
  }

  /**
   * Begins a snapshot of the present state. {@link #next} reads it in pieces while batches go on.
   * It must be ended by {@link #endWalk}.
   */
  Answer<SnapshotWalk> walk() {
    lock.lock();
    try {
      SnapshotWalk begun = state.walk();
      walks.add(begun);
      return new Answer<>(begun, sequence);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next jobs of a snapshot; empty at its end.
   *
   * @throws IllegalStateException if the state was loaded again since the snapshot began, or
   *     changed too much
   */
  List<SnapshotWalk.Part> next(SnapshotWalk of, int most) {
    lock.lock();
    try {
      if (!walks.contains(of)) {
        throw new IllegalStateException("the state was loaded again meanwhile");
      }
      List<SnapshotWalk.Part> parts = of.next(most);
      if (parts.isEmpty()) {
        walks.remove(of);
      }
      return parts;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a snapshot, whether read completely or not. */
  void endWalk(SnapshotWalk begun) {
    lock.lock();
    try {
      walks.remove(begun);
    } finally {
      lock.unlock();
    }
  }

  /**
   * A copy of the present state. Batches that this server decides wait for the listing of
   * references to jobs, and then for the copying of {@value #COPIED_AT_ONCE} jobs at a time.
   *
   * @throws IllegalStateException if the state was loaded again meanwhile, or changed too much
   */
  public Answer<StateSnapshot> copy() {
    Answer<SnapshotWalk> begun = walk();
    try {
      begun.value().sort();
      List<JobRecord> jobs = new ArrayList<>(begun.value().size());
      List<AttemptRecord> attempts = new ArrayList<>();
      List<SnapshotWalk.Part> parts;
      do {
        parts = next(begun.value(), COPIED_AT_ONCE);
        for (SnapshotWalk.Part part : parts) {
          jobs.add(part.job());
          attempts.addAll(part.attempts());
        }
      } while (!parts.isEmpty());
      return new Answer<>(begun.value().others().with(jobs, attempts), begun.sequence());
    } catch (IllegalStateException overtaken) {
      if (follows()) {
        // A follower commits nothing, so only its own reading of the journal waits.
        return ask(AdmissionState::snapshot);
      }
      throw overtaken;
    } finally {
      endWalk(begun.value());
    }
  }

  private boolean follows() {
    lock.lock();
    try {
      return follows;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the view includes a batch.
   *
   * @return whether it does
   */
  public boolean await(long wanted, Duration most) throws InterruptedException {
    long left = most.toNanos();
    lock.lock();
    try {
      while (sequence < wanted && left > 0) {
        left = advanced.awaitNanos(left);
      }
      return sequence >= wanted;
    } finally {
      lock.unlock();
    }
  }

  /**
   * The teams and role bindings: the same list as before unless one of them has changed. Does not
   * block.
   */
  public List<QuotaObject> memberships() {
    return memberships;
  }

  /** The sequence of the last batch in the view. */
  public long sequence() {
    lock.lock();
    try {
      return sequence;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Answers a question from the state. Commits wait meanwhile, so questions must be cheap, and must
   * not change the state.
   */
  public <R> Answer<R> ask(Function<AdmissionState, R> question) {
    lock.lock();
    try {
      return new Answer<>(question.apply(state), sequence);
    } finally {
      lock.unlock();
    }
  }

  /**
   * An answer from the state.
   *
   * @param sequence of the last batch that it includes
   */
  public record Answer<R>(R value, long sequence) {}
}
