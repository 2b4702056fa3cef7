// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.projection;

import io.sluice.admission.scenario.World;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.record.Timer;
import io.sluice.queuemodel.event.AttemptReport;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.RungEvent;
import io.sluice.queuemodel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The reference of a projection: the world itself lives on, and every end is looked for anew among
 * all attempts at each time.
 */
final class ContinuedWorld {
  private static final int TIMES_MAX = 100_000;

  private final World world;
  private final Instant begun;
  private final Map<JobId, Instant> starts = new TreeMap<>();
  private final Map<JobId, Instant> sought = new TreeMap<>();
  private final Map<JobId, Integer> evictions = new TreeMap<>();

  ContinuedWorld(World world) {
    this.world = world;
    this.begun = world.clock().now();
    world.state().ladders().waiting().forEach(job -> sought.put(job.id(), begun));
  }

  Map<JobId, Instant> starts() {
    return starts;
  }

  Map<JobId, Instant> sought() {
    return sought;
  }

  Map<JobId, Integer> evictions() {
    return evictions;
  }

  /** Lives until nothing happens by the horizon any more. */
  void liveUntil(Instant horizon) {
    Instant next = begun;
    int times = 0;
    reportStarts();
    while (next != null && !next.isAfter(horizon)) {
      times++;
      if (times > TIMES_MAX) {
        throw new AssertionError("no end at " + world.clock().now());
      }
      if (next.isAfter(world.clock().now())) {
        world.clock().advance(Duration.between(world.clock().now(), next));
      }
      reportEnds();
      do {
        world.part().forEach(this::note);
      } while (reportStarts() || world.more());
      next = world.state().nextTimerAt();
      for (Attempt attempt : world.state().attempts()) {
        next = Timer.earlier(next, end(attempt));
      }
    }
  }

  private void note(Event event) {
    if (event instanceof Event.Admitted admitted) {
      starts.putIfAbsent(admitted.attempt().job(), world.clock().now());
    } else if (event instanceof RungEvent.RungOpened opened
        && !starts.containsKey(opened.rung().job())) {
      sought.putIfAbsent(opened.rung().job(), world.clock().now());
    } else if (event instanceof Event.AttemptDraining draining
        && draining.drain().cause() == DrainCause.PREEMPTED) {
      evictions.merge(draining.attempt().job(), 1, Integer::sum);
    }
  }

  private boolean reportStarts() {
    boolean any = false;
    for (Attempt attempt : List.copyOf(world.state().attempts())) {
      boolean starts = attempt.startedAt() == null || !attempt.settled();
      if (starts && !attempt.draining()) {
        report(attempt, AttemptReport.Kind.STARTED);
        any = true;
      }
    }
    return any;
  }

  private void reportEnds() {
    for (Attempt attempt : List.copyOf(world.state().attempts())) {
      Instant end = end(attempt);
      if (end != null && !end.isAfter(world.clock().now())) {
        boolean inTime = !attempt.draining() || attempt.drain().cause() == DrainCause.TIME_LIMIT;
        report(attempt, inTime ? AttemptReport.Kind.FINISHED : AttemptReport.Kind.DRAINED);
      }
    }
  }

  private @Nullable Instant end(Attempt attempt) {
    Instant latest = attempt.latestEnd(world.state().policy().ends());
    Instant told = attempt.drainingAt();
    if (told == null || attempt.drain().cause() == DrainCause.TIME_LIMIT) {
      return latest;
    }
    Instant graceful = told.plus(attempt.gracePeriod());
    return graceful.isBefore(begun) ? latest : graceful;
  }

  private void report(Attempt attempt, AttemptReport.Kind kind) {
    world.input(AttemptEnds.report(attempt, kind));
  }
}
