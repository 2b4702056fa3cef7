// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.Input;
import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.UnstorableException;
import io.sluice.scheduler.store.input.InputWriter;
import io.sluice.scheduler.store.input.OutputRows;
import io.sluice.scheduler.store.input.SetAsideCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Stores reports and outputs of executors with group commit, in arrival order. While the database
 * is away, they wait in memory; beyond {@link #WAITING_MAX}, executors block (back-pressure).
 *
 * <p>The writer halves a batch that the database refuses until the faulty report is alone. It
 * stores that report without its text, because its attempt would hang without it. If the database
 * refuses even that, the writer drops it. Both are logged as errors and counted.
 */
public final class ReportWriter implements ReportSink, Part {
  /** The most reports that may wait for the database. */
  static final int WAITING_MAX = 100_000;

  private static final int BATCH_MAX = 1_000;
  private static final Duration RETRY = Duration.ofMillis(500);
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);
  private static final Logger LOG = Logger.getLogger(ReportWriter.class);

  private final InputWriter inputs;
  private final BlockingQueue<Said> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final SetAsideCounts setAside;
  private final Consumer<String> whenEnded;
  private final Thread thread;
  private volatile boolean closed;

  /**
   * A report or an output.
   *
   * @param bare whether its text was removed
   */
  private record Said(
      @Nullable AttemptReport report, @Nullable AttemptOutput output, boolean bare) {
    /** Returns it without its text; null if nothing would be left. */
    @Nullable Said bare(String reason) {
      if (bare) {
        return null;
      }
      if (output != null) {
        String problem = "its output could not be stored: " + reason;
        return new Said(null, new AttemptOutput(output.attempt(), null, problem), true);
      }
      if (report == null || report.kind() == AttemptReport.Kind.CHECKPOINT) {
        return null;
      }
      String message =
          report.message().isEmpty() ? "" : "the message could not be stored: " + reason;
      return new Said(
          new AttemptReport(
              report.attempt(), report.generation(), report.kind(), report.cause(), message),
          null,
          true);
    }
  }

  /** Starts the writer without counts of reports set aside. */
  public ReportWriter(InputWriter inputs) {
    this(inputs, new SetAsideCounts(), reason -> {});
  }

  /**
   * Starts the writer.
   *
   * @param whenEnded receives the reason if the writer fails: it then stores nothing more
   */
  public ReportWriter(InputWriter inputs, SetAsideCounts setAside, Consumer<String> whenEnded) {
    this.inputs = inputs;
    this.setAside = setAside;
    this.whenEnded = whenEnded;
    this.thread = new Thread(this::run, "report-writer");
    this.thread.setDaemon(true);
    this.thread.start();
  }

  @Override
  public StartOrder place() {
    return StartOrder.REPORTS;
  }

  @Override
  public void report(AttemptReport report) {
    put(new Said(report, null, false));
  }

  @Override
  public void output(AttemptOutput output) {
    put(new Said(null, output, false));
  }

  /** Whether reports are still stored, now or when the database is back. */
  public boolean isRunning() {
    return thread.isAlive();
  }

  private void put(Said said) {
    try {
      waiting.put(said);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted before queueing a report: " + said, interrupted);
    }
  }

  private void run() {
    try {
      storeAll();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error failure) {
      LOG.error("the writer failed: reports are no longer stored", failure);
      whenEnded.accept("the writer failed: reports are no longer stored: " + failure);
    }
  }

  private void storeAll() throws InterruptedException {
    List<Said> batch = new ArrayList<>();
    while (!closed || !waiting.isEmpty()) {
      Said first = waiting.poll(RETRY.toMillis(), TimeUnit.MILLISECONDS);
      if (first != null) {
        batch.add(first);
        waiting.drainTo(batch, BATCH_MAX - 1);
        write(List.copyOf(batch));
        batch.clear();
      }
    }
  }

  /** Writes a batch in one transaction; splits a batch that the database refuses. */
  private void write(List<Said> batch) throws InterruptedException {
    while (true) {
      try {
        append(batch);
        return;
      } catch (TransientStoreException failure) {
        if (closed) {
          LOG.warnf("closing: %d reports are lost: %s", batch.size(), failure.getMessage());
          return;
        }
        LOG.warn(failure.getMessage());
        Thread.sleep(RETRY.toMillis());
      } catch (RuntimeException refused) {
        if (batch.size() == 1) {
          setAside(batch.get(0), refused);
        } else {
          int half = batch.size() / 2;
          write(batch.subList(0, half));
          write(batch.subList(half, batch.size()));
        }
        return;
      }
    }
  }

  private void append(List<Said> batch) {
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
    inputs.appendWithOutputs(reports, outputs);
  }

  private void setAside(Said said, RuntimeException refused) throws InterruptedException {
    String reason =
        refused instanceof UnstorableException unstorable
            ? "SQLSTATE " + unstorable.sqlState()
            : refused.getClass().getSimpleName();
    Said bare = said.bare(reason);
    LOG.errorf(
        refused, bare == null ? "%s is dropped" : "%s is stored without its text", named(said));
    if (!said.bare()) {
      setAside.add(said.output() == null ? SetAsideCounts.Kind.REPORT : SetAsideCounts.Kind.OUTPUT);
    }
    if (bare != null) {
      write(List.of(bare));
    }
  }

  /** Names it without its text, which is untrusted. */
  private static String named(Said said) {
    if (said.report() != null) {
      return "report " + said.report().kind() + " of attempt " + said.report().attempt();
    }
    return "the output of attempt " + (said.output() == null ? "" : said.output().attempt());
  }

  /** Stores the waiting reports, if the database answers, and ends the thread. */
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
