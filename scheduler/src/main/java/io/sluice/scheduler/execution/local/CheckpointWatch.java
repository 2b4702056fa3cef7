// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.text.Checkpoint;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.ReportSink;
import io.sluice.scheduler.execution.local.files.PodFile;
import io.sluice.scheduler.execution.local.files.WorkDirectories;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Polls the checkpoint files of pods and reports each new checkpoint of an attempt: at once, at
 * most one in five seconds while it runs, and the last one when nothing of it is left. With several
 * pods, the latest write counts.
 *
 * <p>The files are beside those of progress, for the same reason.
 */
final class CheckpointWatch implements AutoCloseable {
  private static final Logger LOG = System.getLogger(CheckpointWatch.class.getName());
  private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);
  private static final long REPORT_INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();

  private final WorkDirectories work;
  private final ReportSink reports;
  private final ConcurrentMap<AttemptKey, Watched> watched = new ConcurrentHashMap<>();
  private final EventLoop loop = new EventLoop("sluice-local-checkpoints");

  /** Creates a watch without attempts. */
  CheckpointWatch(WorkDirectories work, ReportSink reports) {
    this.work = work;
    this.reports = reports;
    loop.repeat(LOOK_INTERVAL, () -> watched.values().forEach(attempt -> look(attempt, false)));
  }

  /** A watched attempt; guarded by its own lock, since another thread reads it last. */
  private static final class Watched {
    final AttemptKey key;
    final int generation;
    final List<Path> files;
    FileTime read = WorkDirectories.NO_PROGRESS;
    @Nullable String known;
    @Nullable String found;
    long reportedNanos = System.nanoTime() - REPORT_INTERVAL_NANOS;

    Watched(AttemptKey key, int generation, List<Path> files, @Nullable String known) {
      this.key = key;
      this.generation = generation;
      this.files = List.copyOf(files);
      this.known = known;
    }
  }

  /**
   * Starts watching the pods of an attempt.
   *
   * @param known the checkpoint from which they continue, already known; null: from the beginning
   */
  void watch(AttemptKey attempt, int generation, List<String> pods, @Nullable String known) {
    List<Path> files = new ArrayList<>();
    pods.forEach(pod -> files.add(work.checkpointFile(attempt, pod)));
    watched.put(attempt, new Watched(attempt, generation, files, known));
  }

  /**
   * Reads for the last time and stops watching the attempt.
   *
   * @return the attempt's last checkpoint; null: none, or it was not watched
   */
  @Nullable String last(AttemptKey attempt) {
    Watched over = watched.remove(attempt);
    if (over == null) {
      return null;
    }
    look(over, true);
    synchronized (over) {
      return over.known;
    }
  }

  private void look(Watched attempt, boolean atOnce) {
    synchronized (attempt) {
      Path newest = null;
      for (Path file : attempt.files) {
        FileTime modified = PodFile.modified(file, WorkDirectories.NO_PROGRESS);
        if (modified.compareTo(attempt.read) > 0) {
          attempt.read = modified;
          newest = file;
        }
      }
      if (newest != null) {
        String text = read(newest, attempt.key);
        attempt.found = text == null ? attempt.found : text;
      }
      String found = attempt.found;
      long nowNanos = System.nanoTime();
      boolean due = atOnce || nowNanos - attempt.reportedNanos >= REPORT_INTERVAL_NANOS;
      if (found != null && due) {
        attempt.found = null;
        if (!found.equals(attempt.known)) {
          attempt.known = found;
          attempt.reportedNanos = nowNanos;
          report(attempt, found);
        }
      }
    }
  }

  private void report(Watched attempt, String text) {
    try {
      reports.report(
          new AttemptReport(
              attempt.key, attempt.generation, AttemptReport.Kind.CHECKPOINT, null, text));
    } catch (RuntimeException lost) {
      LOG.log(Level.ERROR, "A checkpoint of " + attempt.key + " was not stored", lost);
    }
  }

  /** Returns the first line; null if it is not a valid checkpoint or is being written. */
  private static @Nullable String read(Path file, AttemptKey attempt) {
    try {
      String line = PodFile.firstLine(file, Checkpoint.BYTES_MAX + 1).strip();
      return line.isEmpty() ? null : Checkpoint.requireText(line);
    } catch (InvalidValueException refused) {
      LOG.log(
          Level.WARNING, "A checkpoint of " + attempt + " is ignored: it " + refused.getMessage());
      return null;
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
