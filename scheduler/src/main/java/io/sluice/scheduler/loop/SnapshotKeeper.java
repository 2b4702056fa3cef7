// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.admission.EngineVersion;
import io.sluice.admission.state.SnapshotWalk;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.journal.HistoryRows;
import io.sluice.scheduler.store.journal.SnapshotJson;
import io.sluice.scheduler.store.journal.SnapshotRows;
import io.sluice.scheduler.store.journal.StoredSnapshot;
import io.sluice.scheduler.store.leadership.Leadership;
import io.sluice.scheduler.store.leadership.LeadershipRows;
import io.sluice.scheduler.store.leadership.LeadershipRows.Decider;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Takes snapshots of the committed state while this server leads, and deletes journal entries past
 * their retention. Both happen in a background thread.
 *
 * <p>A snapshot reads the committed view. Batches wait while it copies a thousand jobs at a time;
 * rows that batches touch before they were copied are kept as they were, see {@link SnapshotWalk}.
 * A snapshot that fails is given up, and another is tried later.
 */
final class SnapshotKeeper implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(SnapshotKeeper.class);
  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);
  private static final Duration PRUNING_MAX = Duration.ofMinutes(1);
  private static final int JOBS_AT_ONCE = 1_000;

  private final Leadership lead;
  private final CommittedView view;
  private final HistorySettings settings;
  private final SnapshotRows snapshots;
  private final LeadershipRows leaderships;
  private final HistoryRows history;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "snapshots");
  private CommittedView.@Nullable Answer<SnapshotWalk> begun;
  private boolean wanted;
  private long lastSequence;
  private long notBeforeNanos = System.nanoTime();
  private long pruneAtNanos = System.nanoTime();

  SnapshotKeeper(
      DataSource database, Leadership lead, CommittedView view, HistorySettings settings) {
    this.lead = lead;
    this.view = view;
    this.settings = settings;
    this.snapshots = new SnapshotRows(database);
    this.leaderships = new LeadershipRows(database);
    this.history = new HistoryRows(database);
    this.thread.setDaemon(true);
  }

  /**
   * Starts to record decisions. Must be called before the first round: if another engine version or
   * policy decided last, the keeper takes a snapshot now, from which the next decisions are
   * recomputed.
   *
   * @throws StoreException if the database does not answer
   */
  void start() {
    leaderships.write(lead.epoch(), view.policy());
    snapshots.deleteUnfinished(lead.epoch());
    long sequence = view.sequence();
    StoredSnapshot last = snapshots.nearest(sequence);
    Decider now = new Decider(sequence, lead.epoch(), EngineVersion.CURRENT, view.policy());
    Decider before = leaderships.last(sequence);
    if (last == null || (before != null && !before.isLike(now) && last.sequence() < sequence)) {
      wanted = true;
      begun = view.walk();
    } else {
      lastSequence = last.sequence();
      notBeforeNanos = System.nanoTime() + settings.spacing().toNanos();
    }
    thread.start();
  }

  private void run() {
    try {
      do {
        boolean due = wanted || view.sequence() - lastSequence >= settings.snapshotEvery();
        if (due && System.nanoTime() - notBeforeNanos >= 0) {
          take();
        }
        if (System.nanoTime() - pruneAtNanos >= 0) {
          prune();
        }
      } while (!closed.await(POLL.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      if (begun != null) {
        view.endWalk(begun.value());
      }
    }
  }

  private void take() {
    Duration pause = settings.spacing();
    long startedNanos = System.nanoTime();
    CommittedView.Answer<SnapshotWalk> walk = begun == null ? view.walk() : begun;
    begun = null;
    try {
      long bytes = write(walk.value(), walk.sequence());
      lastSequence = walk.sequence();
      wanted = false;
      LOG.infof(
          "snapshot after batch %d: %d jobs, %d bytes, %d ms",
          walk.sequence(),
          walk.value().size(),
          bytes,
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos));
    } catch (IOException | RuntimeException failure) {
      LOG.warnf("no snapshot after batch %d: %s", walk.sequence(), failure.getMessage());
      pause = AFTER_FAILURE;
      deleteUnfinished();
    } finally {
      view.endWalk(walk.value());
    }
    notBeforeNanos = System.nanoTime() + pause.toNanos();
  }

  private long write(SnapshotWalk walk, long sequence) throws IOException {
    if (!snapshots.begin(sequence, lead.epoch(), walk.size())) {
      return 0;
    }
    walk.sort();
    Counted out = new Counted(snapshots.parts(sequence));
    try (SnapshotJson.Writer json = new SnapshotJson.Writer(out, walk.others())) {
      List<SnapshotWalk.Part> parts;
      do {
        if (closed.getCount() == 0 || !lead.holds()) {
          throw new IllegalStateException("this server no longer leads");
        }
        parts = view.next(walk, JOBS_AT_ONCE);
        for (SnapshotWalk.Part part : parts) {
          json.write(part);
        }
      } while (!parts.isEmpty());
      json.finish();
    }
    if (!snapshots.complete(sequence, lead.epoch(), out.bytes)) {
      throw new IllegalStateException("another server deleted it");
    }
    return out.bytes;
  }

  private void deleteUnfinished() {
    try {
      snapshots.deleteUnfinished(lead.epoch());
    } catch (StoreException failure) {
      LOG.warn(failure.getMessage());
    }
  }

  private void prune() {
    try {
      boolean more = lead.holds() && history.prune(settings.retention());
      Duration spacing = settings.spacing();
      Duration pause = spacing.compareTo(PRUNING_MAX) < 0 ? spacing : PRUNING_MAX;
      pruneAtNanos = System.nanoTime() + (more ? 0 : pause.toNanos());
    } catch (RuntimeException failure) {
      LOG.warn(failure.getMessage());
      pruneAtNanos = System.nanoTime() + AFTER_FAILURE.toNanos();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    ThreadEnd.await(thread);
  }

  /** Counts the bytes that pass through it. */
  private static final class Counted extends FilterOutputStream {
    private long bytes;

    private Counted(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] some, int from, int length) throws IOException {
      out.write(some, from, length);
      bytes += length;
    }

    @Override
    public void write(int one) throws IOException {
      out.write(one);
      bytes++;
    }
  }
}
