// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import io.sluice.queuemodel.event.PlanChange;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.quota.QueueKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Records planned starts as they are written, moved and kept. It judges moves by itself: a move to
 * a later time counts as caused by backfill unless a job of another queue started in the round
 * while the planned start relied on borrowed quota. No job of its own queue is entitled, because
 * all have one priority.
 */
final class PromiseRecord {
  private static final long NONE = -1;

  private final List<TraceJob> jobs;
  private final Function<String, QueueKey> queueOfTeam;
  private final long[] first;
  private final long[] current;
  private final boolean[] firm;
  private final Map<String, Long> later = new TreeMap<>();
  private final Map<String, Long> withdrawn = new TreeMap<>();
  private final List<Integer> startedInRound = new ArrayList<>();
  private long written;
  private long earlier;
  private long startsAfterFirst;
  private long secondsAfterFirstMax;

  PromiseRecord(List<TraceJob> jobs, Function<String, QueueKey> queueOfTeam) {
    this.jobs = jobs;
    this.queueOfTeam = queueOfTeam;
    this.first = new long[jobs.size()];
    this.current = new long[jobs.size()];
    this.firm = new boolean[jobs.size()];
    Arrays.fill(first, NONE);
    Arrays.fill(current, NONE);
  }

  void planned(int job, PlannedStart start, PlanChange change) {
    Instant time = start.at();
    if (time == null) {
      throw new IllegalStateException("a planned start without a time, but every job has a limit");
    }
    long at = seconds(time);
    if (current[job] == NONE) {
      written++;
    } else if (at < current[job]) {
      earlier++;
    } else if (at > current[job]) {
      later.merge(cause(job, change), 1L, Long::sum);
    }
    first[job] = first[job] == NONE ? at : first[job];
    current[job] = at;
    firm[job] = start.firm();
  }

  private static long seconds(Instant time) {
    return time.getEpochSecond() + (time.getNano() > 0 ? 1 : 0);
  }

  private String cause(int job, PlanChange change) {
    boolean entitled =
        change != PlanChange.OUTRANKED
            || startedInRound.stream().anyMatch(other -> outranks(other, job));
    return entitled ? change.name() : PromiseCounts.BACKFILL;
  }

  private boolean outranks(int other, int job) {
    return !queue(other).equals(queue(job)) && !firm[job];
  }

  private QueueKey queue(int job) {
    return queueOfTeam.apply(jobs.get(job).team());
  }

  void withdrawn(int job, PlanChange change) {
    withdrawn.merge(change.name(), 1L, Long::sum);
    current[job] = NONE;
  }

  void started(int job, long second) {
    startedInRound.add(job);
    current[job] = NONE;
    if (first[job] != NONE && second > first[job]) {
      startsAfterFirst++;
      secondsAfterFirstMax = Math.max(secondsAfterFirstMax, second - first[job]);
    }
  }

  void endRound() {
    startedInRound.clear();
  }

  PromiseCounts counts() {
    return new PromiseCounts(
        written, earlier, later, withdrawn, startsAfterFirst, secondsAfterFirstMax);
  }
}
