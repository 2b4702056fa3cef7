// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.fact;

import io.sluice.admission.state.record.AttemptRecord;
import io.sluice.admission.state.record.IndexProgress;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.queuemodel.job.IndexRanges;
import io.sluice.queuemodel.job.JobArray;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The indices of one job: ended, live, claiming and requeued ones, and the next to admit.
 * Collections are created when needed.
 */
final class JobIndices {
  /** The indices of an untouched job. Must not be changed: most pending jobs share it. */
  static final JobIndices UNTOUCHED = new JobIndices();

  private IndexRanges succeeded = IndexRanges.NONE;
  private IndexRanges failed = IndexRanges.NONE;
  private int firstUnstarted;
  private @Nullable TreeMap<Integer, IndexProgress> progress;
  private @Nullable RequeuedIndices requeued;
  private @Nullable TreeMap<Integer, Attempt> live;
  private @Nullable TreeSet<Integer> claiming;

  /** Restores the indices of a stored job, without its live attempts. */
  static JobIndices restore(JobRecord stored) {
    int ended = Math.max(stored.succeeded().end(), stored.failed().end());
    if (ended == 0 && stored.progress().isEmpty()) {
      return UNTOUCHED;
    }
    JobIndices indices = new JobIndices();
    indices.succeeded = stored.succeeded();
    indices.failed = stored.failed();
    if (!stored.progress().isEmpty()) {
      indices.progress = new TreeMap<>(stored.progress());
      indices.firstUnstarted = stored.progress().lastKey() + 1;
      stored.progress().keySet().forEach(indices::place);
    }
    indices.firstUnstarted = Math.max(indices.firstUnstarted, ended);
    return indices;
  }

  IndexRanges succeeded() {
    return succeeded;
  }

  IndexRanges failed() {
    return failed;
  }

  /** Returns whether an index holds or claims quota. */
  boolean busy() {
    return (live != null && !live.isEmpty()) || (claiming != null && !claiming.isEmpty());
  }

  /** Returns the live attempts, by index. */
  Collection<Attempt> live() {
    return live == null
        ? Collections.emptyList()
        : Collections.unmodifiableCollection(live.values());
  }

  @Nullable Attempt live(int index) {
    return live == null ? null : live.get(index);
  }

  /** Returns the indices that hold a claim. */
  SortedSet<Integer> claiming() {
    return claiming == null
        ? Collections.emptySortedSet()
        : Collections.unmodifiableSortedSet(claiming);
  }

  /** Returns the progress of the indices that were reached and have not ended. */
  SortedMap<Integer, IndexProgress> progress() {
    return progress == null
        ? Collections.emptySortedMap()
        : Collections.unmodifiableSortedMap(progress);
  }

  /** Returns the progress of an index. */
  IndexProgress progress(int index) {
    return progress == null ? IndexProgress.NONE : progress.getOrDefault(index, IndexProgress.NONE);
  }

  /** Changes the progress of an index, if any index was reached. */
  private void progress(int index, UnaryOperator<IndexProgress> change) {
    if (progress != null) {
      progress.put(index, change.apply(progress(index)));
    }
    place(index);
  }

  /** Returns when an index was last requeued after a missed start; null if none was. */
  @Nullable Instant missedAt() {
    return progress().values().stream()
        .map(IndexProgress::missedAt)
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  /** Implements {@link JobEntry#nextIndex} for a job that may be admitted. */
  OptionalInt next(Instant now, JobArray array) {
    if (taken() >= array.maxParallel()) {
      return OptionalInt.empty();
    }
    OptionalInt again = requeued == null ? OptionalInt.empty() : requeued.first(now);
    if (again.isPresent()) {
      return again;
    }
    int fresh = firstUnstarted;
    while (claiming != null && claiming.contains(fresh)) {
      fresh++;
    }
    return fresh < array.count() ? OptionalInt.of(fresh) : OptionalInt.empty();
  }

  /**
   * Returns the number of indices that hold or claim quota; an index that does both counts once.
   */
  int taken() {
    int taken = live == null ? 0 : live.size();
    for (int index : claiming()) {
      taken += live == null || !live.containsKey(index) ? 1 : 0;
    }
    return taken;
  }

  /** Returns when the next requeued index may be tried; null if none has a delay. */
  @Nullable Instant nextNotBefore(Instant now) {
    return requeued == null ? null : requeued.nextAfter(now);
  }

  private boolean waiting(int index) {
    return (live == null || !live.containsKey(index))
        && (claiming == null || !claiming.contains(index));
  }

  /** Updates whether an index counts as requeued. Call it after each change of that. */
  private void place(int index) {
    IndexProgress reached = progress == null ? null : progress.get(index);
    if (reached != null && waiting(index)) {
      if (requeued == null) {
        requeued = new RequeuedIndices();
      }
      requeued.put(index, reached.notBefore());
    } else if (requeued != null) {
      requeued.remove(index);
    }
  }

  void admit(Attempt attempt) {
    int index = attempt.key().index();
    if (live(index) != null) {
      throw new IllegalStateException("index already has a live attempt: " + attempt.key());
    }
    restoreLive(attempt);
    if (progress == null) {
      progress = new TreeMap<>();
    }
    // Skipped indices hold claims; an index that loses its claim is found through its progress.
    for (int skipped = firstUnstarted; skipped < index; skipped++) {
      progress.putIfAbsent(skipped, IndexProgress.NONE);
      place(skipped);
    }
    progress(index, known -> known.admitted(attempt.key().attempt()));
    firstUnstarted = Math.max(firstUnstarted, index + 1);
  }

  void restoreLive(Attempt attempt) {
    if (live == null) {
      live = new TreeMap<>();
    }
    live.put(attempt.key().index(), attempt);
    place(attempt.key().index());
  }

  void started(int index) {
    if (progress(index).missedStarts() > 0) {
      progress(index, IndexProgress::started);
    }
  }

  /**
   * Removes the live attempt of an index after its end.
   *
   * @param counted execution time of the attempt; zero if the job has no limit
   */
  void ended(Attempt attempt, AttemptRecord.Result result, Duration counted) {
    int index = attempt.key().index();
    if (live != null) {
      live.remove(index);
    }
    progress(index, known -> known.ended(result, counted, attempt.endedAt()));
  }

  void save(int index, String text) {
    progress(index, known -> known.saved(text));
  }

  void requeue(int index, Instant notBefore) {
    progress(index, known -> known.requeued(notBefore));
  }

  void finish(int index, boolean success) {
    if (success) {
      succeeded = succeeded.with(index);
    } else {
      failed = failed.with(index);
    }
    if (progress != null) {
      progress.remove(index);
    }
    place(index);
  }

  void claim(int index) {
    if (claiming == null) {
      claiming = new TreeSet<>();
    }
    claiming.add(index);
    place(index);
  }

  void unclaim(int index) {
    if (claiming != null) {
      claiming.remove(index);
    }
    place(index);
  }
}
