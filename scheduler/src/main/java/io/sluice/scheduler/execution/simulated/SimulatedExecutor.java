// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.simulated;

import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.AttemptReport.Kind;
import io.sluice.queuemodel.event.FailureCause;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.scheduler.execution.AttemptLogs;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.execution.Launch;
import io.sluice.scheduler.execution.ReportSink;
import io.sluice.scheduler.lifecycle.Lease;
import io.sluice.scheduler.store.leadership.Leadership;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs attempts by waiting. An attempt starts at once, lasts as long as its job's annotations say
 * ({@code sluice.io/simulated-run-time}, {@code sluice.io/simulated-exit-code}, {@code
 * sluice.io/simulated-progress-every}), and is gone as soon as it is told to end.
 *
 * <p>Attempts of another server continue here for the rest of their run time. The executor reports
 * an end only while this server leads: else the leader reports it.
 */
public final class SimulatedExecutor implements Executor {
  private static final int ENDED_MAX = 65_536;

  private static final AttemptLogs NO_LOGS =
      new AttemptLogs() {
        @Override
        public List<String> pods(AttemptKey attempt) {
          return List.of();
        }

        @Override
        public Reader open(AttemptKey attempt, String pod, @Nullable Integer tail, boolean follow) {
          throw new IllegalArgumentException("there is no pod " + pod);
        }
      };

  private static final Duration UNTIL_ASKED_AGAIN = Duration.ofMillis(100);

  private final ReportSink sink;
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread thread = new Thread(task, "simulated-executor");
            thread.setDaemon(true);
            return thread;
          });
  private final Map<AttemptKey, Running> running = new TreeMap<>();

  private volatile Lease lease = Lease.NONE;

  /** Attempts that will report progress. */
  private final Set<AttemptKey> progressing = new TreeSet<>();

  /** The latest ended attempts: a repeated start has no effect. */
  private final Map<AttemptKey, Boolean> ended =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<AttemptKey, Boolean> eldest) {
          return size() > ENDED_MAX;
        }
      };

  /** A running attempt and the task that ends it. */
  private record Running(Launch launch, Future<?> end) {}

  /** Creates an executor without attempts. */
  public SimulatedExecutor(ReportSink sink) {
    this.sink = sink;
    timer.setRemoveOnCancelPolicy(true);
  }

  /** {@inheritDoc} The same for all servers, since attempts have no processes. */
  @Override
  public String id() {
    return "simulated";
  }

  @Override
  public void lead(Leadership lead) {
    actUnder(lead);
  }

  /** Reports ends from now on while the lease holds. */
  void actUnder(Lease held) {
    lease = held;
  }

  @Override
  public synchronized void recover(List<Launch> live) {
    for (Launch launch : live) {
      // A new generation starts by a later call.
      if (launch.state() == AttemptState.RUNNING && !launch.starting()) {
        SimulatedRun run = SimulatedRun.of(launch.job().meta().annotations());
        endIn(left(launch, run), launch, run);
      }
    }
  }

  @Override
  public synchronized void stepDown() {
    running.values().forEach(one -> one.end().cancel(false));
    running.clear();
  }

  /** Returns the remaining run time: a new generation continues the previous one. */
  private static Duration left(Launch launch, SimulatedRun run) {
    Duration left = run.runTime().minus(launch.earlier().ranFor());
    return left.isNegative() ? Duration.ZERO : left;
  }

  @Override
  public synchronized void start(Launch launch) {
    Running known = running.get(launch.attempt());
    boolean newer = known == null || known.launch().generation() < launch.generation();
    if (!newer || ended.containsKey(launch.attempt())) {
      return;
    }
    if (known != null) {
      known.end().cancel(false);
    }
    SimulatedRun run;
    try {
      run = SimulatedRun.of(launch.job().meta().annotations());
    } catch (IllegalArgumentException unreadable) {
      String message = String.valueOf(unreadable.getMessage());
      report(launch, Kind.FAILED, FailureCause.START_FAILED, message);
      report(launch, Kind.DRAINED, null, "");
      return;
    }
    report(launch, Kind.STARTED, null, "");
    endIn(left(launch, run), launch, run);
  }

  private void endIn(Duration left, Launch launch, SimulatedRun run) {
    running.put(
        launch.attempt(),
        new Running(
            launch,
            timer.schedule(() -> end(launch, run), left.toMillis(), TimeUnit.MILLISECONDS)));
    comeOnLater(launch, run);
  }

  /** Schedules the next progress report, sent while this server leads and the attempt runs. */
  private void comeOnLater(Launch launch, SimulatedRun run) {
    Duration every = run.progressEvery();
    if (every != null && progressing.add(launch.attempt())) {
      var unused =
          timer.schedule(() -> comeOn(launch, run), every.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void comeOn(Launch launch, SimulatedRun run) {
    progressing.remove(launch.attempt());
    Running now = running.get(launch.attempt());
    if (now != null) {
      if (lease.holds()) {
        report(now.launch(), Kind.PROGRESS, null, "");
      }
      comeOnLater(now.launch(), run);
    }
  }

  private synchronized void end(Launch launch, SimulatedRun run) {
    Running now = running.get(launch.attempt());
    if (now == null || now.launch().generation() != launch.generation()) {
      return;
    }
    if (!lease.holds()) {
      endIn(UNTIL_ASKED_AGAIN, launch, run);
      return;
    }
    running.remove(launch.attempt());
    ended.put(launch.attempt(), true);
    if (run.exitCode() == 0) {
      report(launch, Kind.FINISHED, null, "");
    } else {
      String message = "ended with code " + run.exitCode();
      report(launch, Kind.FAILED, FailureCause.EXIT_CODE, message);
      report(launch, Kind.DRAINED, null, "");
    }
  }

  @Override
  public synchronized void stop(AttemptKey attempt, int generation, Duration gracePeriod) {
    ended.put(attempt, true);
    forget(attempt);
    sink.report(new AttemptReport(attempt, generation, Kind.DRAINED, null, ""));
  }

  @Override
  public synchronized void ended(AttemptKey attempt) {
    forget(attempt);
  }

  private void forget(AttemptKey attempt) {
    Running known = running.remove(attempt);
    if (known != null) {
      known.end().cancel(false);
    }
  }

  private void report(Launch launch, Kind kind, @Nullable FailureCause cause, String message) {
    sink.report(new AttemptReport(launch.attempt(), launch.generation(), kind, cause, message));
  }

  @Override
  public AttemptLogs logs() {
    return NO_LOGS;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
