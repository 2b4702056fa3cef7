// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.recheck;

import io.sluice.admission.EngineVersion;
import io.sluice.admission.Recheck;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.scheduler.recheck.RecheckAnswer.Difference;
import io.sluice.scheduler.recheck.RecheckRefusedException.Kind;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.journal.JournalReader;
import io.sluice.scheduler.store.journal.JournalReader.StoredBatch;
import io.sluice.scheduler.store.journal.RecordedRounds;
import io.sluice.scheduler.store.journal.RecordedRounds.RecordedRound;
import io.sluice.scheduler.store.journal.RecordedRounds.StoredEvent;
import io.sluice.scheduler.store.journal.SnapshotJson;
import io.sluice.scheduler.store.journal.SnapshotRows;
import io.sluice.scheduler.store.journal.StoredSnapshot;
import io.sluice.scheduler.store.leadership.LeadershipRows;
import io.sluice.scheduler.store.leadership.LeadershipRows.Decider;
import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Rechecks past batches: decides them again from the nearest snapshot and the recorded inputs,
 * times and policy, and compares the events with the stored ones byte by byte. It works on a copy
 * of the state, for one call at a time, and for a limited number of batches per call.
 */
public final class JournalRecheck {
  /** Maximum number of batches that one call rechecks. */
  public static final int BATCHES_MAX = 1_000;

  /** Time after which a call ends with its current batch. */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private static final int REPLAYED_AT_ONCE = 100;

  /** Generous estimate of the heap per job of a copy; copies may take a third of the heap. */
  private static final long BYTES_PER_JOB = 3_000;

  private static final int HEAP_PARTS = 3;

  private final DataSource database;
  private final SnapshotRows snapshots;
  private final LeadershipRows leaderships;
  private final Semaphore free = new Semaphore(1);

  public JournalRecheck(DataSource database) {
    this.database = database;
    this.snapshots = new SnapshotRows(database);
    this.leaderships = new LeadershipRows(database);
  }

  /**
   * Rechecks batches, up to the first difference.
   *
   * @param from sequence of the first
   * @param most maximum number of batches, at most {@link #BATCHES_MAX}
   * @throws RecheckRefusedException if the first cannot be recomputed on this server now
   */
  public RecheckAnswer recheck(long from, int most) {
    if (!free.tryAcquire()) {
      throw new RecheckRefusedException(
          Kind.TOO_MUCH, "another recheck is running: try again later");
    }
    try {
      Decider decider = decider(from);
      StoredSnapshot nearest = snapshots.nearest(from - 1);
      if (nearest == null) {
        throw gone(from, "no snapshot is stored from before it");
      }
      checkSize(nearest);
      EnginePolicy policy = decider.policy();
      if (policy == null) {
        throw gone(from, "its policy was not recorded");
      }
      Recheck recheck = restore(nearest, policy);
      replay(recheck, nearest, decider);
      return compare(recheck, nearest, decider, Math.min(most, BATCHES_MAX));
    } finally {
      free.release();
    }
  }

  private Decider decider(long from) {
    Decider decider = leaderships.of(from);
    if (decider == null) {
      Decider last = leaderships.last(Long.MAX_VALUE);
      if (last == null || from > last.sequence()) {
        throw new RecheckRefusedException(
            Kind.NOT_THERE,
            "there is no batch %d; the last is %d"
                .formatted(from, last == null ? 0 : last.sequence()));
      }
      throw gone(from, "it is past its retention");
    }
    if (decider.engineVersion() != EngineVersion.CURRENT) {
      throw new RecheckRefusedException(
          Kind.OTHER_ENGINE,
          "batch %d was decided by engine version %d, and this server has %d"
              .formatted(from, decider.engineVersion(), EngineVersion.CURRENT));
    }
    return decider;
  }

  private static RecheckRefusedException gone(long sequence, String why) {
    return new RecheckRefusedException(
        Kind.GONE, "batch %d cannot be recomputed: %s".formatted(sequence, why));
  }

  private static void checkSize(StoredSnapshot snapshot) {
    long heap = Runtime.getRuntime().maxMemory();
    if (snapshot.jobs() * BYTES_PER_JOB > heap / HEAP_PARTS) {
      throw new RecheckRefusedException(
          Kind.TOO_MUCH,
          "a copy of %d jobs is too large for a server with a heap of %d bytes"
              .formatted(snapshot.jobs(), heap));
    }
  }

  private Recheck restore(StoredSnapshot snapshot, EnginePolicy policy) {
    try (InputStream stored = snapshots.read(snapshot.sequence())) {
      return new Recheck(SnapshotJson.read(stored), policy);
    } catch (IOException broken) {
      throw gone(snapshot.sequence() + 1, "its snapshot cannot be read: " + broken.getMessage());
    }
  }

  /** Applies the recorded batches between the snapshot and the first batch to recheck. */
  private void replay(Recheck recheck, StoredSnapshot snapshot, Decider first) {
    long sequence = snapshot.sequence();
    checkSameEngine(sequence, first);
    try (JournalReader journal = new JournalReader(database)) {
      while (sequence + 1 < first.sequence()) {
        long left = first.sequence() - 1 - sequence;
        List<StoredBatch> batches = journal.read(sequence, (int) Math.min(REPLAYED_AT_ONCE, left));
        if (batches.isEmpty()) {
          throw gone(first.sequence(), "a batch before it is past its retention");
        }
        for (StoredBatch batch : batches) {
          if (batch.sequence() != sequence + 1) {
            throw gone(first.sequence(), "a batch before it is past its retention");
          }
          replay(recheck, batch);
          sequence = batch.sequence();
        }
      }
    }
  }

  private static void replay(Recheck recheck, StoredBatch batch) {
    try {
      recheck.replay(batch.now(), batch.events());
    } catch (IllegalStateException contradiction) {
      throw new RecheckRefusedException(
          Kind.CONTRADICTION,
          "the records of batch %d contradict the records before it: %s"
              .formatted(batch.sequence(), contradiction.getMessage()));
    }
  }

  /**
   * The state that another engine or policy derived from events can be restored only from a
   * snapshot.
   */
  private void checkSameEngine(long snapshot, Decider first) {
    Decider after = first.sequence() == snapshot + 1 ? first : leaderships.of(snapshot + 1);
    if (after == null || !leaderships.allAlike(after, first)) {
      throw gone(
          first.sequence(),
          "another engine or policy decided since the snapshot after batch " + snapshot);
    }
  }

  private RecheckAnswer compare(
      Recheck recheck, StoredSnapshot snapshot, Decider decider, int most) {
    long begun = System.nanoTime();
    long from = decider.sequence();
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(true);
      RecordedRounds rounds = new RecordedRounds(connection);
      long last = from - 1;
      while (last - from + 1 < most && System.nanoTime() - begun < LONGEST.toNanos()) {
        RecordedRound round = rounds.read(last + 1);
        if (round == null) {
          return new RecheckAnswer(from, last, snapshot.sequence(), null, false);
        }
        if (round.epoch() != decider.epoch() && !isLike(decider, round)) {
          // The next call begins with this batch, from the snapshot taken at the change.
          return new RecheckAnswer(from, last, snapshot.sequence(), null, true);
        }
        last = round.sequence();
        Difference difference = difference(rounds, round, recheck);
        if (difference != null) {
          return new RecheckAnswer(from, last, snapshot.sequence(), difference, false);
        }
      }
      return new RecheckAnswer(from, last, snapshot.sequence(), null, true);
    } catch (SQLException failure) {
      throw new TransientStoreException("cannot read the recorded rounds", failure);
    }
  }

  private boolean isLike(Decider decider, RecordedRound round) {
    Decider other = leaderships.of(round.sequence());
    return other != null && decider.isLike(other);
  }

  private static @Nullable Difference difference(
      RecordedRounds rounds, RecordedRound round, Recheck recheck) throws SQLException {
    List<StoredEvent> recorded = round.events();
    List<StoredEvent> recomputed = rounds.asStored(recheck.decide(round.now(), round.inputs()));
    int most = Math.max(recorded.size(), recomputed.size());
    for (int at = 0; at < most; at++) {
      StoredEvent then = at < recorded.size() ? recorded.get(at) : null;
      StoredEvent now = at < recomputed.size() ? recomputed.get(at) : null;
      if (then == null || !then.equals(now)) {
        return new Difference(round.sequence(), at, then, now);
      }
    }
    return null;
  }
}
