// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.estimate;

import io.sluice.admission.estimate.StartForecast;
import io.sluice.admission.estimate.StatedRange;
import io.sluice.admission.state.AdmissionState;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.lifecycle.LeasedPart;
import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.store.TransientStoreException;
import io.sluice.scheduler.store.job.EstimateRows;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Estimates again and again, on a thread of its own, when waiting jobs will start. Every server
 * does so for its answers. The leader also records the first range of each job, and what came.
 *
 * <p>It rests four times as long as it works, and at least two seconds. A forecast that takes
 * longer than {@value #FORECAST_SECONDS_MAX} s rests on the scenarios that are done by then. If
 * these are too few, the previous one stays.
 */
public final class StartEstimator extends LeasedPart implements Part {
  private static final Logger LOG = Logger.getLogger(StartEstimator.class);
  private static final Duration REST_MIN = Duration.ofSeconds(2);
  private static final Duration UNCHANGED_MAX = Duration.ofSeconds(30);
  private static final int RESTS_PER_WORK = 4;
  private static final long FORECAST_SECONDS_MAX = 5;
  private static final int STATED_MAX = 20_000;
  private static final double NANOS = 1e9;

  /** Ranges that end later than this have no end. */
  private static final double HORIZON_SECONDS = Duration.ofDays(3_650).toSeconds();

  private final CommittedView view;
  private final EstimateRows rows;
  private final EstimateHistory history;
  private final ExpectedStarts starts;
  private final OutcomeWatch watch;
  private final Clock clock = Clock.systemUTC();
  private final Semaphore wake = new Semaphore(0);
  private final Thread thread = new Thread(this::run, "start-estimates");

  /** Jobs for which this leader has recorded a range; the database knows the others. */
  private final Set<JobId> stated = new LinkedHashSet<>();

  private long lastSequence = -1;
  private long lastNanos;
  private volatile boolean closed;

  StartEstimator(
      CommittedView view,
      EstimateRows rows,
      EstimateHistory history,
      ExpectedStarts starts,
      OutcomeWatch watch) {
    this.view = view;
    this.rows = rows;
    this.history = history;
    this.starts = starts;
    this.watch = watch;
  }

  @Override
  public StartOrder place() {
    return StartOrder.ESTIMATES;
  }

  @Override
  public void start() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      long begun = System.nanoTime();
      try {
        refresh();
      } catch (TransientStoreException failure) {
        LOG.warnf("expected starts wait: %s", failure.getMessage());
      } catch (RuntimeException failure) {
        if (!closed) {
          LOG.error("expected starts wait", failure);
        }
      }
      long rest = Math.max(REST_MIN.toNanos(), RESTS_PER_WORK * (System.nanoTime() - begun));
      try {
        if (wake.tryAcquire(rest, TimeUnit.NANOSECONDS)) {
          wake.drainPermits();
        }
      } catch (InterruptedException interrupted) {
        closed = true;
      }
    }
  }

  /** Estimates once, unless nothing has changed for less than {@link #UNCHANGED_MAX}. */
  private void refresh() {
    long nanos = System.nanoTime();
    long sequence = view.sequence();
    boolean unchanged = sequence == lastSequence && nanos - lastNanos < UNCHANGED_MAX.toNanos();
    if (unchanged) {
      return;
    }
    if (leads()) {
      rows.settle().forEach(this::tell);
    }
    history.read();
    CommittedView.Answer<Taken> answer = view.ask(this::take);
    Taken taken = answer.value();
    long begun = System.nanoTime();
    List<StartForecast.JobForecast> forecasts =
        taken.forecast().ranges(history.runTimes(), job -> true, () -> mayGoOn(begun));
    if (forecasts.isEmpty() && taken.forecast().size() > 0) {
      LOG.warnf(
          "no expected starts: %d waiting jobs took more than %d s",
          taken.forecast().size(), FORECAST_SECONDS_MAX);
      return;
    }
    publish(forecasts, taken.at(), begun);
    lastSequence = answer.sequence();
    lastNanos = nanos;
  }

  /** What a forecast depends on, and when it was taken. */
  private record Taken(StartForecast forecast, Instant at) {}

  private Taken take(AdmissionState state) {
    Instant now = clock.instant();
    Instant last = state.now();
    Instant at = last.isAfter(now) ? last : now;
    return new Taken(StartForecast.of(state, at), at);
  }

  private boolean mayGoOn(long begun) {
    return !closed && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(FORECAST_SECONDS_MAX);
  }

  private void publish(List<StartForecast.JobForecast> forecasts, Instant at, long begun) {
    Map<JobId, ExpectedStart> expected = new TreeMap<>();
    List<EstimateRows.Stated> fresh = new ArrayList<>();
    for (StartForecast.JobForecast forecast : forecasts) {
      if (forecast.range().starts()) {
        StatedRange range = history.state(forecast.clusterQueue(), forecast.range());
        Instant median = after(at, range.median());
        Instant earliest = after(at, range.low());
        if (median != null && earliest != null) {
          expected.put(
              forecast.job(),
              new ExpectedStart(earliest, median, after(at, range.high()), StatedRange.CONFIDENCE));
        }
        if (forecast.fresh() && !stated.contains(forecast.job())) {
          fresh.add(
              new EstimateRows.Stated(
                  forecast.job(), forecast.clusterQueue(), forecast.range(), range));
        }
      }
    }
    starts.replace(expected);
    if (leads() && !fresh.isEmpty()) {
      rows.state(fresh, (System.nanoTime() - begun) / NANOS);
      fresh.forEach(one -> stated.add(one.job()));
      forgetOldest();
    }
  }

  private void forgetOldest() {
    while (stated.size() > STATED_MAX) {
      stated.remove(stated.iterator().next());
    }
  }

  private static @Nullable Instant after(Instant at, double seconds) {
    return seconds > HORIZON_SECONDS ? null : at.plusMillis((long) (seconds * 1_000));
  }

  private void tell(EstimateRows.Settled settled) {
    StatedRange range = settled.range();
    OutcomeWatch.Place place =
        range.holds(settled.waited())
            ? OutcomeWatch.Place.IN_RANGE
            : settled.waited() < range.low() ? OutcomeWatch.Place.EARLY : OutcomeWatch.Place.LATE;
    watch.settled(settled.queue(), place);
  }

  @Override
  public void close() {
    closed = true;
    // No interrupt: a transaction in progress is short and completes.
    wake.release();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(FORECAST_SECONDS_MAX));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
