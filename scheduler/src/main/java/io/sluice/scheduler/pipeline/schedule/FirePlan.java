// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import io.sluice.queuemodel.pipeline.Schedule;
import io.sluice.queuemodel.pipeline.Schedule.Policies;
import io.sluice.scheduler.pipeline.cron.CronLine;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Computes the logical times of a schedule that fire now, since the last one considered. A pure
 * function of the schedule and the time; its cost does not grow with the time since the last fire.
 *
 * <p>A fire that is late by no more than {@code missedAfter} is on time. A later one is missed, and
 * the misfire policy decides about it. Fires keep their order: a jitter never lets one overtake
 * another.
 *
 * @param key identifies the schedule; the jitter of a time is a hash of both
 * @param missedAfter maximum delay of a fire that is not missed
 */
record FirePlan(Schedule schedule, CronLine line, String key, Duration missedAfter) {
  /** Maximum count of missed fires that is reported. */
  private static final int COUNTED_MAX = 10_000;

  private static final Duration FIRST_WINDOW = Duration.ofMinutes(1);

  /** The key of a schedule, from which its jitter is hashed. */
  static String key(String namespace, String pipeline, String schedule) {
    return namespace + "/" + pipeline + "/" + schedule;
  }

  /**
   * The plan of a schedule; {@code missedAfter} is irrelevant if only logical times are computed.
   */
  static FirePlan of(String namespace, String pipeline, Schedule schedule, Duration missedAfter) {
    return new FirePlan(
        schedule,
        CronLine.parse(schedule.cron()),
        key(namespace, pipeline, schedule.name()),
        missedAfter);
  }

  /**
   * The fires that are due, and the progress after them.
   *
   * @param fires logical times that fire now, in their order
   * @param consideredTo logical times up to this one are done after these fires
   * @param missed number of missed fires that the policy drops
   * @param reason of that, for people; empty: none were dropped
   * @param next the first logical time after; null: there is none
   */
  record Due(
      List<Instant> fires,
      Instant consideredTo,
      int missed,
      String reason,
      @Nullable Instant next) {
    /** Counts all fires as missed. */
    Due refused(String why) {
      return new Due(List.of(), consideredTo, missed + fires.size(), why, next);
    }
  }

  /**
   * The due fires.
   *
   * @param consideredTo logical times up to this one are done
   * @param most maximum number of fires; further ones are due again at once
   */
  Due at(Instant consideredTo, Instant now, int most) {
    Instant from = counting(consideredTo);
    Sorting sorting = new Sorting(now);
    Instant pointless = now.minus(missedAfter).minus(schedule.jitter());
    if (from.isBefore(pointless)) {
      latest(from, pointless).forEach(sorting::add);
    }
    Instant time = next(from.isBefore(pointless) ? pointless.minusNanos(1) : from);
    while (time != null && sorting.fires(time)) {
      sorting.add(time);
      time = next(time);
    }
    return sorting.due(from, most);
  }

  /** The first logical time of the schedule after another; null if there is none. */
  @Nullable Instant next(Instant after) {
    Instant found = line.next(counting(after), schedule.timeZone());
    Instant end = schedule.span().end();
    return found == null || (end != null && !found.isBefore(end)) ? null : found;
  }

  /** Excludes times before the schedule's start. */
  private Instant counting(Instant after) {
    Instant start = schedule.span().start();
    return start != null && after.isBefore(start) ? start.minusMillis(1) : after;
  }

  /** When the fire of a logical time is due. */
  Instant dueAt(Instant time) {
    long most = schedule.jitter().toMillis();
    return most == 0 ? time : time.plusMillis(Math.floorMod(hash(time), most + 1));
  }

  private long hash(Instant time) {
    long mixed = key.hashCode() * 0x9E3779B97F4A7C15L + time.getEpochSecond();
    mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return mixed ^ (mixed >>> 31);
  }

  /** The latest logical times between two others, exclusive: as many as can matter, or all. */
  private List<Instant> latest(Instant after, Instant before) {
    int wanted = Math.max(COUNTED_MAX, schedule.policies().runsMax());
    Duration window = FIRST_WINDOW;
    while (true) {
      Instant from = before.minus(window);
      boolean whole = !from.isAfter(after);
      List<Instant> found = new ArrayList<>();
      Instant time = next(whole ? after : from);
      while (time != null && time.isBefore(before)) {
        found.add(time);
        time = next(time);
      }
      if (whole || found.size() >= wanted) {
        return found.subList(Math.max(0, found.size() - wanted), found.size());
      }
      window = window.multipliedBy(2);
    }
  }

  /** Sorts logical times, given in ascending order, by how late they fire. */
  private final class Sorting {
    private final Instant now;
    private final List<Instant> onTime = new ArrayList<>();
    private final List<Instant> missed = new ArrayList<>();
    private final List<Instant> tooLate = new ArrayList<>();
    private @Nullable Instant last;

    Sorting(Instant now) {
      this.now = now;
    }

    boolean fires(Instant time) {
      return !dueAt(time).isAfter(now);
    }

    void add(Instant time) {
      last = time;
      Duration late = Duration.between(dueAt(time), now);
      Duration deadline = schedule.policies().startingDeadline();
      if (deadline != null && late.compareTo(deadline) > 0) {
        tooLate.add(time);
      } else if (late.compareTo(missedAfter) > 0) {
        missed.add(time);
      } else {
        onTime.add(time);
      }
    }

    Due due(Instant from, int most) {
      int kept = Math.min(missed.size(), madeUp(schedule.policies()));
      List<Instant> dropped = missed.subList(0, missed.size() - kept);
      // With jitter, a time that is on time may precede one that is missed.
      List<Instant> fires =
          Stream.concat(
                  missed.subList(missed.size() - kept, missed.size()).stream(), onTime.stream())
              .sorted()
              .toList();
      Instant consideredTo = last == null ? from : last;
      if (fires.size() > most) {
        fires = fires.subList(0, most);
        consideredTo = fires.get(most - 1);
      }
      int byPolicy = upTo(consideredTo, dropped);
      int byDeadline = upTo(consideredTo, tooLate);
      return new Due(
          fires,
          consideredTo,
          byPolicy + byDeadline,
          reason(byPolicy, byDeadline),
          next(consideredTo));
    }

    /** Counts only times up to the considered one; later ones are counted in the next call. */
    private static int upTo(Instant consideredTo, List<Instant> times) {
      return (int) times.stream().filter(time -> !time.isAfter(consideredTo)).count();
    }

    private String reason(int byPolicy, int byDeadline) {
      List<String> reasons = new ArrayList<>();
      if (byPolicy > 0) {
        reasons.add(byPolicy + " by misfirePolicy " + schedule.policies().misfire().word());
      }
      if (byDeadline > 0) {
        reasons.add(
            "%d later than startingDeadline %s"
                .formatted(byDeadline, schedule.policies().startingDeadline()));
      }
      return String.join(", ", reasons);
    }
  }

  private static int madeUp(Policies policies) {
    return switch (policies.misfire()) {
      case SKIP -> 0;
      case RUN_ONCE -> 1;
      case RUN_ALL -> policies.runsMax();
    };
  }
}
