// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * A scheduler for comparison: it looks at every job at every event, and knows nothing of the
 * engine. One pool of devices, whole jobs, no preemption.
 */
final class NaiveSchedule {
  private static final long WAITS = -1;
  private static final int NOBODY = -1;

  private final List<TraceJob> jobs;
  private final int devices;
  private final Estimates estimates;
  private final long[] starts;

  private NaiveSchedule(Trace trace, int devices, Estimates estimates) {
    this.jobs = trace.jobs();
    this.devices = devices;
    this.estimates = estimates;
    this.starts = new long[jobs.size()];
    Arrays.fill(starts, WAITS);
  }

  /** Returns the start of each job in seconds. */
  static long[] starts(Trace trace, int devices, ReplayPolicy policy, Estimates estimates) {
    NaiveSchedule schedule = new NaiveSchedule(trace, devices, estimates);
    TreeSet<Long> times = new TreeSet<>();
    trace.jobs().forEach(job -> times.add(job.submitSeconds()));
    while (!times.isEmpty()) {
      long now = times.pollFirst();
      schedule.pass(now, policy);
      for (int job = 0; job < schedule.starts.length; job++) {
        long end = schedule.starts[job] + schedule.jobs.get(job).durationSeconds();
        if (schedule.starts[job] != WAITS && end > now) {
          times.add(end);
        }
      }
    }
    return schedule.starts;
  }

  private void pass(long now, ReplayPolicy policy) {
    int blocked = NOBODY;
    for (int job : waiting(now)) {
      boolean fits = jobs.get(job).devices() <= free(now);
      if (fits && (blocked == NOBODY || mayPass(job, blocked, now, policy))) {
        starts[job] = now;
      } else if (blocked == NOBODY) {
        blocked = job;
      }
    }
  }

  private boolean mayPass(int job, int blocked, long now, ReplayPolicy policy) {
    return switch (policy) {
      case FCFS -> false;
      case BESTEFFORT -> true;
      case EASY -> keepsStart(job, blocked, now);
      default -> throw new IllegalArgumentException(policy.word());
    };
  }

  /** Returns whether the blocked job could start as early as before, if a job started now. */
  private boolean keepsStart(int job, int blocked, long now) {
    long before = earliest(blocked, now);
    starts[job] = now;
    long after = earliest(blocked, now);
    starts[job] = WAITS;
    return after == before;
  }

  private long earliest(int job, long now) {
    TreeSet<Long> times = new TreeSet<>();
    times.add(now);
    for (int other = 0; other < starts.length; other++) {
      if (runs(other, now)) {
        times.add(latestEnd(other));
      }
    }
    for (long time : times) {
      long used = 0;
      for (int other = 0; other < starts.length; other++) {
        used += runs(other, now) && latestEnd(other) > time ? jobs.get(other).devices() : 0;
      }
      if (used + jobs.get(job).devices() <= devices) {
        return time;
      }
    }
    throw new IllegalStateException("job " + job + " never fits");
  }

  private List<Integer> waiting(long now) {
    List<Integer> waiting = new ArrayList<>();
    for (int job = 0; job < starts.length; job++) {
      if (starts[job] == WAITS && jobs.get(job).submitSeconds() <= now) {
        waiting.add(job);
      }
    }
    return waiting;
  }

  private boolean runs(int job, long now) {
    return starts[job] != WAITS && starts[job] + jobs.get(job).durationSeconds() > now;
  }

  private long latestEnd(int job) {
    return starts[job] + estimates.limitSeconds(jobs.get(job));
  }

  private long free(long now) {
    long used = 0;
    for (int job = 0; job < starts.length; job++) {
      used += runs(job, now) ? jobs.get(job).devices() : 0;
    }
    return devices - used;
  }
}
