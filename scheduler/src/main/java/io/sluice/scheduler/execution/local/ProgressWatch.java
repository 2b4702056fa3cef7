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
 * Polls the progress files of pods and reports progress of their attempts: at most once in a
 * quarter of the progress deadline, or in 30 s if that is shorter. It skips attempts without a
 * deadline.
 *
 * <p>The pod's account may write the file but cannot replace it, for example by a link. So reading
 * it neither hangs nor leads elsewhere.
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

  /** Creates a watch without attempts. */
  ProgressWatch(WorkDirectories work, ReportSink reports) {
    this.work = work;
    this.reports = reports;
    loop.repeat(LOOK_INTERVAL, this::look);
  }

  /** The file of a pod, and its time of change at the last poll. */
  private static final class Seen {
    final Path file;
    FileTime modified = WorkDirectories.NO_PROGRESS;

    Seen(Path file) {
      this.file = file;
    }
  }

  /** A watched attempt; confined to the loop's thread. */
  private record Watched(AttemptKey key, int generation, List<Seen> files, Pace pace) {}

  /** The last report, and whether another is pending. */
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

  /** Starts watching an attempt whose programs start now. */
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
   * Starts watching an attempt of an earlier server. A change within the deadline counts as
   * progress, even if that server reported it; an older one does not.
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

  /** Stops watching the attempt. */
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
      LOG.log(Level.ERROR, "Progress of " + attempt.key() + " was not stored", lost);
    }
  }

  /** Returns the first line of the file, without control characters, for people. */
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
