// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.local;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.scheduler.execution.local.process.ProcessMark;
import io.sluice.scheduler.execution.local.process.ProcessSignals;
import io.sluice.scheduler.execution.local.process.ProcessSignals.Signal;
import io.sluice.scheduler.execution.local.process.ProcessTable;
import io.sluice.scheduler.execution.local.process.ProcessTable.Remains;
import io.sluice.scheduler.execution.local.process.ProcessTable.Sought;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Ends the processes of attempts: SIGTERM, SIGKILL after the grace period, then SIGKILL repeatedly
 * until none is left. One scan of the process table serves all attempts; scans take at most a fifth
 * of the time. Confined to the event loop's thread.
 */
final class AttemptEnder {
  private static final Logger LOG = System.getLogger(AttemptEnder.class.getName());
  private static final Duration INTERVAL_MIN = Duration.ofMillis(10);
  private static final Duration INTERVAL_MAX = Duration.ofMillis(500);
  private static final Duration STUCK_AFTER = Duration.ofSeconds(30);
  private static final Duration GRACE_MAX = Duration.ofDays(365);
  private static final int REST_PER_LOOK = 4;

  private final EventLoop loop;
  private final ProcessTable table;
  private final ProcessSignals signals;
  private final Function<AttemptKey, OptionalInt> users;
  private final Consumer<List<LocalAttempt>> ended;
  private final Map<AttemptKey, Ending> endings = new LinkedHashMap<>();

  private @Nullable ScheduledFuture<?> nextLook;
  private long nextLookAtNanos;
  private long restUntilNanos = System.nanoTime();
  private Duration interval = INTERVAL_MIN;

  /**
   * Creates an ender.
   *
   * @param users returns the user id of an attempt's processes
   * @param ended called with attempts of which nothing is left
   */
  AttemptEnder(
      EventLoop loop,
      ProcessTable table,
      ProcessSignals signals,
      Function<AttemptKey, OptionalInt> users,
      Consumer<List<LocalAttempt>> ended) {
    this.loop = loop;
    this.table = table;
    this.signals = signals;
    this.users = users;
    this.ended = ended;
  }

  /** An attempt that is being ended. */
  private static final class Ending {
    final LocalAttempt attempt;
    final Set<ProcessMark> terminatedStrays = new HashSet<>();
    long killAtNanos;
    boolean terminated;
    boolean groupsTerminated;
    boolean saidStuck;

    Ending(LocalAttempt attempt, long killAtNanos) {
      this.attempt = attempt;
      this.killAtNanos = killAtNanos;
    }

    /** Returns the processes that have not received SIGTERM, and marks them as signalled. */
    Remains unterminated(Remains left) {
      terminated = true;
      List<ProcessMark> strays = new ArrayList<>();
      for (ProcessMark stray : left.strays()) {
        if (terminatedStrays.add(stray)) {
          strays.add(stray);
        }
      }
      if (groupsTerminated || left.groups().isEmpty()) {
        return new Remains(new TreeSet<>(), List.of(), strays);
      }
      groupsTerminated = true;
      return new Remains(left.groups(), left.members(), strays);
    }
  }

  /** Starts to end an attempt, or shortens its grace period. */
  void end(LocalAttempt attempt, Duration gracePeriod) {
    Duration grace = gracePeriod.compareTo(GRACE_MAX) < 0 ? gracePeriod : GRACE_MAX;
    long killAtNanos = System.nanoTime() + grace.toNanos();
    Ending ending = endings.computeIfAbsent(attempt.key(), key -> new Ending(attempt, killAtNanos));
    if (killAtNanos - ending.killAtNanos < 0) {
      ending.killAtNanos = killAtNanos;
    }
    lookSoon();
  }

  /** Schedules the next scan as soon as its rate limit permits: a process has ended. */
  void lookSoon() {
    interval = INTERVAL_MIN;
    lookAt(System.nanoTime());
  }

  private void lookAt(long wantedNanos) {
    long atNanos = wantedNanos - restUntilNanos < 0 ? restUntilNanos : wantedNanos;
    if (nextLook != null && nextLookAtNanos - atNanos <= 0) {
      return;
    }
    if (nextLook != null) {
      nextLook.cancel(false);
    }
    nextLookAtNanos = atNanos;
    nextLook =
        loop.schedule(Duration.ofNanos(Math.max(0, atNanos - System.nanoTime())), this::lookAndEnd);
  }

  private void lookAndEnd() {
    nextLook = null;
    long begunNanos = System.nanoTime();
    try {
      look();
    } finally {
      long nowNanos = System.nanoTime();
      restUntilNanos = nowNanos + REST_PER_LOOK * (nowNanos - begunNanos);
      if (!endings.isEmpty()) {
        lookAgain(nowNanos);
      }
    }
  }

  private void look() {
    if (endings.isEmpty()) {
      return;
    }
    List<Sought> sought =
        endings.values().stream()
            .map(one -> one.attempt.sought(users.apply(one.attempt.key())))
            .toList();
    Map<AttemptKey, Remains> found = table.remains(sought);
    long nowNanos = System.nanoTime();
    List<Remains> terminate = new ArrayList<>();
    List<Remains> kill = new ArrayList<>();
    List<LocalAttempt> gone = new ArrayList<>();
    for (Ending ending : endings.values()) {
      Remains left = found.get(ending.attempt.key());
      if (left == null || left.isEmpty()) {
        if (ending.attempt.processesEnded()) {
          gone.add(ending.attempt);
        }
      } else if (!ending.terminated || nowNanos - ending.killAtNanos < 0) {
        terminate.add(ending.unterminated(left));
      } else {
        kill.add(left);
        warnIfStuck(ending, left, nowNanos);
      }
    }
    signals.send(Signal.TERM, terminate);
    signals.send(Signal.KILL, kill);
    gone.forEach(attempt -> endings.remove(attempt.key()));
    if (!gone.isEmpty()) {
      ended.accept(gone);
    }
  }

  private void lookAgain(long nowNanos) {
    long atNanos = nowNanos + interval.toNanos();
    for (Ending ending : endings.values()) {
      if (ending.killAtNanos - nowNanos > 0 && ending.killAtNanos - atNanos < 0) {
        atNanos = ending.killAtNanos;
      }
    }
    Duration doubled = interval.multipliedBy(2);
    interval = doubled.compareTo(INTERVAL_MAX) < 0 ? doubled : INTERVAL_MAX;
    lookAt(atNanos);
  }

  private static void warnIfStuck(Ending ending, Remains left, long nowNanos) {
    if (!ending.saidStuck && nowNanos - ending.killAtNanos > STUCK_AFTER.toNanos()) {
      ending.saidStuck = true;
      LOG.log(
          Level.WARNING,
          "Attempt "
              + ending.attempt.key()
              + " does not end, though killed "
              + STUCK_AFTER.toSeconds()
              + " s ago: process groups "
              + left.groups()
              + ", other processes "
              + left.strays());
    }
  }
}
