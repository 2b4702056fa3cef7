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
 * The indices of one job: which have ended, how far the others have come, which of them are live or
 * hold a claim, and which is next. Collections are made when first needed.
 */
final class JobIndices {
  /** No index was reached or has ended. Nobody may change it: most pending jobs share it. */
  static final JobIndices UNTOUCHED = new JobIndices();

  private IndexRanges succeeded = IndexRanges.NONE;
  private IndexRanges failed = IndexRanges.NONE;
  private int firstUnstarted;
  private @Nullable TreeMap<Integer, IndexProgress> progress;
  private @Nullable RequeuedIndices requeued;
  private @Nullable TreeMap<Integer, Attempt> live;
  private @Nullable TreeSet<Integer> claiming;

  /** Those of a stored job, without its live attempts. */
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

  /** Whether anything of it holds or claims quota. */
  boolean busy() {
    return (live != null && !live.isEmpty()) || (claiming != null && !claiming.isEmpty());
  }

  /** Its live attempts, by index. */
  Collection<Attempt> live() {
    return live == null
        ? Collections.emptyList()
        : Collections.unmodifiableCollection(live.values());
  }

  @Nullable Attempt live(int index) {
    return live == null ? null : live.get(index);
  }

  /** Indices that hold a claim. */
  SortedSet<Integer> claiming() {
    return claiming == null
        ? Collections.emptySortedSet()
        : Collections.unmodifiableSortedSet(claiming);
  }

  /** How far the indices have come that were reached and have not ended. */
  SortedMap<Integer, IndexProgress> progress() {
    return progress == null
        ? Collections.emptySortedMap()
        : Collections.unmodifiableSortedMap(progress);
  }

  /** How far an index has come. */
  IndexProgress progress(int index) {
    return progress == null ? IndexProgress.NONE : progress.getOrDefault(index, IndexProgress.NONE);
  }

  /** Changes how far an index has come, if it was reached. */
  private void progress(int index, UnaryOperator<IndexProgress> change) {
    if (progress != null) {
      progress.put(index, change.apply(progress(index)));
    }
    place(index);
  }

  /** When the last of those indices was requeued that did not start; null: there is none. */
  @Nullable Instant missedAt() {
    return progress().values().stream()
        .map(IndexProgress::missedAt)
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  /** See {@link JobEntry#nextIndex}, of a job that is open. */
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

  /** How many indices hold or claim quota; one that is to move does both. */
  int taken() {
    int taken = live == null ? 0 : live.size();
    for (int index : claiming()) {
      taken += live == null || !live.containsKey(index) ? 1 : 0;
    }
    return taken;
  }

  /** When the first of its requeued indices may be tried again; null if none waits for a time. */
  @Nullable Instant nextNotBefore(Instant now) {
    return requeued == null ? null : requeued.nextAfter(now);
  }

  private boolean waiting(int index) {
    return (live == null || !live.containsKey(index))
        && (claiming == null || !claiming.contains(index));
  }

  /** Notes whether an index waits after it was reached; after each change of that. */
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
      throw new IllegalStateException("a second live attempt: " + attempt.key());
    }
    restoreLive(attempt);
    if (progress == null) {
      progress = new TreeMap<>();
    }
    // Indices below that hold a claim are passed over; should they lose it, they are found here.
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
   * Its attempt is no longer live.
   *
   * @param counted for how long it was admitted, if that is counted
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
