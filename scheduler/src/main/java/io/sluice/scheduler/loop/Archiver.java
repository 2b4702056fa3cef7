// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.scheduler.store.ArchiveRows;
import io.sluice.scheduler.store.leadership.Leadership;
import java.time.Duration;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jboss.logging.Logger;

/**
 * Archives ended jobs and audit records in a background thread while this server leads. It goes
 * through the old jobs by age, in small transactions with pauses between them, and starts again an
 * hour after it was through.
 */
final class Archiver implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(Archiver.class);

  /** Leaves most of a database's time to others, however much there is to archive. */
  private static final Duration BETWEEN_STEPS = Duration.ofMillis(50);

  private static final Duration BETWEEN_PASSES = Duration.ofHours(1);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

  /** Number of archived jobs after which a long pass says how far it is. */
  private static final long TOLD_EVERY = 50_000;

  private final Leadership lead;
  private final ArchiveRows rows;
  private final Duration after;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "archive");
  private ArchiveRows.Place place = ArchiveRows.Place.FIRST;
  private long moved;

  /** Months whose jobs stayed in this pass. */
  private final Set<LocalDate> closedMonths = new TreeSet<>();

  /**
   * An archiver that is not started.
   *
   * @param after minimum time between the end of a job, or an audit record, and its archiving
   */
  Archiver(DataSource database, Leadership lead, Duration after) {
    this.lead = lead;
    this.rows = new ArchiveRows(database);
    this.after = after;
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      Duration pause = BETWEEN_STEPS;
      while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        pause = lead.holds() ? step() : BETWEEN_STEPS;
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Archives some, and returns the time to wait. */
  private Duration step() {
    try {
      ArchiveRows.Step step = rows.moveJobs(after, place);
      long before = moved;
      moved += step.moved();
      closedMonths.addAll(step.closed());
      place = step.next();
      if (step.more() || rows.moveAudit(after)) {
        if (moved / TOLD_EVERY > before / TOLD_EVERY) {
          LOG.infof("archived %d jobs so far", moved);
        }
        return BETWEEN_STEPS;
      }
      if (moved > 0) {
        LOG.infof("archived %d jobs", moved);
      }
      if (!closedMonths.isEmpty()) {
        LOG.warnf(
            "jobs of %s are not archived: tables of these months were detached from the archive and"
                + " are still there. Drop them, move them to another schema, or attach them again",
            closedMonths.stream().map(YearMonth::from).toList());
      }
      place = ArchiveRows.Place.FIRST;
      moved = 0;
      closedMonths.clear();
      return BETWEEN_PASSES;
    } catch (RuntimeException failure) {
      LOG.warn(failure.getMessage());
      return AFTER_FAILURE;
    }
  }

  @Override
  public void close() {
    closed.countDown();
    ThreadEnd.await(thread);
  }
}
