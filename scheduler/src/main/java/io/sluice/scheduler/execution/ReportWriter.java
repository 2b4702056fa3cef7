// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.job.AttemptReport;
import io.sluice.queuemodel.job.Input;
import io.sluice.scheduler.store.InputWriter;
import io.sluice.scheduler.store.OutputRows;
import io.sluice.scheduler.store.TransientStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Stores what executors say, many reports in one transaction, in the order in which they came.
 * While the database is away they are kept here; should there be more than {@link #WAITING_MAX},
 * executors wait.
 */
public final class ReportWriter implements ReportSink, AutoCloseable {
  /** How many reports may wait for the database. */
  static final int WAITING_MAX = 100_000;

  private static final int BATCH_MAX = 1_000;
  private static final Duration RETRY = Duration.ofMillis(500);
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);
  private static final Logger LOG = Logger.getLogger(ReportWriter.class);

  private final InputWriter inputs;
  private final BlockingQueue<Said> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final Thread thread;
  private volatile boolean closed;

  /** What an executor said: one of the two. */
  private record Said(@Nullable AttemptReport report, @Nullable AttemptOutput output) {}

  /** Begins to store what comes. */
  public ReportWriter(InputWriter inputs) {
    this.inputs = inputs;
    this.thread = new Thread(this::run, "report-writer");
    this.thread.setDaemon(true);
    this.thread.start();
  }

  @Override
  public void report(AttemptReport report) {
    put(new Said(report, null));
  }

  @Override
  public void output(AttemptOutput output) {
    put(new Said(null, output));
  }

  private void put(Said said) {
    try {
      waiting.put(said);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("a report was given up: " + said, interrupted);
    }
  }

  private void run() {
    List<Said> batch = new ArrayList<>();
    while (!closed || !waiting.isEmpty()) {
      try {
        Said first = waiting.poll(RETRY.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
          batch.add(first);
          waiting.drainTo(batch, BATCH_MAX - 1);
          write(List.copyOf(batch));
          batch.clear();
        }
      } catch (InterruptedException interrupted) {
        return;
      }
    }
  }

  private void write(List<Said> batch) throws InterruptedException {
    List<Input> reports = new ArrayList<>();
    List<OutputRows.Output> outputs = new ArrayList<>();
    for (Said said : batch) {
      if (said.report() != null) {
        reports.add(new Input.Report(said.report()));
      }
      AttemptOutput output = said.output();
      if (output != null && output.attempt().index() == 0) {
        outputs.add(
            new OutputRows.Output(output.attempt().job().value(), output.json(), output.problem()));
      }
    }
    while (true) {
      try {
        inputs.appendWithOutputs(reports, outputs);
        return;
      } catch (TransientStoreException failure) {
        if (closed) {
          LOG.warnf("%d reports are given up: %s", reports.size(), failure.getMessage());
          return;
        }
        LOG.warn(failure.getMessage());
        Thread.sleep(RETRY.toMillis());
      }
    }
  }

  /** Stores what waits, if the database answers, and ends. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join(CLOSE_PATIENCE.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }
}
