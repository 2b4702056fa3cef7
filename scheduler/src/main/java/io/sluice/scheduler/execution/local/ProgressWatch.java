// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.ReportSink;
import io.sluice.scheduler.execution.local.files.PodFile;
import io.sluice.scheduler.execution.local.files.WorkDirectories;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Sees by the files that pods write that their attempts come on, and reports it: at most once in a
 * quarter of the progress deadline, or in 30 s if that is less. Attempts without such a deadline
 * are not looked at.
 *
 * <p>The file of a pod stands where its account may write it and cannot put anything else in its
 * place, so reading it can neither hang nor lead elsewhere.
 */
final class ProgressWatch implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ProgressWatch.class.getName());
  private static final Duration LOOK_INTERVAL = Duration.ofSeconds(1);
  private static final Duration REPORT_INTERVAL_MAX = Duration.ofSeconds(30);
  private static final int REPORTS_PER_DEADLINE = 4;
  private static final int TEXT_LENGTH_MAX = 200;
  private static final int BYTES_READ_MAX = 1024;

  private final WorkDirectories work;
  private final ReportSink reports;
  private final ConcurrentMap<AttemptKey, Watched> watched = new ConcurrentHashMap<>();
  private final EventLoop loop = new EventLoop("sluice-local-progress");

  /** Looks at nothing yet. */
  ProgressWatch(WorkDirectories work, ReportSink reports) {
    this.work = work;
    this.reports = reports;
    loop.repeat(LOOK_INTERVAL, this::look);
  }

  /** The file of a pod, and what it was when it was last looked at. */
  private static final class Seen {
    final Path file;
    FileTime modified = WorkDirectories.NO_PROGRESS;

    Seen(Path file) {
      this.file = file;
    }
  }

  /** An attempt that is watched; touched by the loop's thread only. */
  private record Watched(AttemptKey key, int generation, List<Seen> files, Pace pace) {}

  /** What was reported and what is to be. */
  private static final class Pace {
    final long intervalNanos;
    long reportedNanos;
    boolean pending;
    String text = "";

    Pace(Duration deadline) {
      Duration part = deadline.dividedBy(REPORTS_PER_DEADLINE);
      Duration interval = part.compareTo(REPORT_INTERVAL_MAX) < 0 ? part : REPORT_INTERVAL_MAX;
      intervalNanos = interval.toNanos();
      reportedNanos = System.nanoTime() - intervalNanos;
    }
  }

  /** Watches an attempt whose programs begin now. */
  void watch(LocalAttempt attempt) {
    Duration deadline = attempt.launch().job().limits().deadlines().progress();
    if (deadline != null) {
      List<Seen> files = new ArrayList<>();
      attempt
          .pods()
          .forEach(pod -> files.add(new Seen(work.progressFile(attempt.key(), pod.name()))));
      put(attempt, files, deadline);
    }
  }

  /**
   * Watches an attempt that an earlier server started. What changed within the deadline counts as
   * progress, though that server may have reported it; what changed before does not.
   */
  void adopt(LocalAttempt attempt) {
    Duration deadline = attempt.launch().job().limits().deadlines().progress();
    if (deadline != null) {
      FileTime since = FileTime.from(Instant.now().minus(deadline));
      List<Seen> files = new ArrayList<>();
      for (PodPlan pod : attempt.pods()) {
        Seen seen = new Seen(work.progressFile(attempt.key(), pod.name()));
        FileTime modified = PodFile.modified(seen.file, seen.modified);
        if (modified.compareTo(since) < 0) {
          seen.modified = modified;
        }
        files.add(seen);
      }
      put(attempt, files, deadline);
    }
  }

  private void put(LocalAttempt attempt, List<Seen> files, Duration deadline) {
    watched.put(
        attempt.key(), new Watched(attempt.key(), attempt.generation(), files, new Pace(deadline)));
  }

  /** Looks at the attempt no more. */
  void forget(AttemptKey attempt) {
    watched.remove(attempt);
  }

  private void look() {
    for (Watched attempt : watched.values()) {
      for (Seen seen : attempt.files()) {
        FileTime modified = PodFile.modified(seen.file, seen.modified);
        if (!modified.equals(seen.modified)) {
          seen.modified = modified;
          attempt.pace().pending = true;
          attempt.pace().text = shown(seen.file);
        }
      }
      mayReport(attempt);
    }
  }

  private void mayReport(Watched attempt) {
    Pace pace = attempt.pace();
    long nowNanos = System.nanoTime();
    if (!pace.pending || nowNanos - pace.reportedNanos < pace.intervalNanos) {
      return;
    }
    pace.pending = false;
    pace.reportedNanos = nowNanos;
    try {
      reports.report(
          new AttemptReport(
              attempt.key(), attempt.generation(), AttemptReport.Kind.PROGRESS, null, pace.text));
    } catch (RuntimeException lost) {
      LOG.log(Level.ERROR, "Progress of " + attempt.key() + " was not taken", lost);
    }
  }

  /** What people may be shown of the file: its first line, without what does not print. */
  private static String shown(Path file) {
    StringBuilder line = new StringBuilder();
    PodFile.firstLine(file, BYTES_READ_MAX)
        .codePoints()
        .filter(character -> !Character.isISOControl(character))
        .limit(TEXT_LENGTH_MAX)
        .forEach(line::appendCodePoint);
    return line.toString().strip();
  }

  @Override
  public void close() {
    loop.close();
  }
}
