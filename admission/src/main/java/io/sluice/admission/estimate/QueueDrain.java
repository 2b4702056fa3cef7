// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.estimate;

import io.sluice.admission.estimate.DrainModel.QueueRule;
import io.sluice.admission.estimate.DrainModel.RunningAttempt;
import io.sluice.admission.estimate.DrainModel.WaitingJob;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One scenario: the starts of the waiting jobs of a model if every attempt runs for a given time
 * and nothing arrives. At each end the waiting jobs are tried in order. In planned queues the first
 * one that does not fit has room reserved, which is computed from latest ends, as EASY backfill
 * does.
 *
 * <p>It costs a walk over the waiting jobs for each end.
 */
final class QueueDrain {
  /** Maximum number of times at which the queues are tried. */
  private static final int PASSES_MAX = 20_000;

  /** Ends closer than this are handled at once, so that many ends cost few passes. */
  private static final double MERGED_SECONDS = 1;

  /** An attempt that holds room, with its end in this scenario. */
  private record Live(Demand demand, double end, double latestEnd, int number) {}

  private final DrainModel model;
  private final Scenario scenario;
  private final RoomCells room;
  private final double[] starts;
  private final boolean[] failed;
  private final boolean[] blocked;
  private final int[] left;

  /** The waiting jobs in order, and their shapes, in arrays because each end walks over them. */
  private final int[] queue;

  private final int[] shapes;
  private int waiting;
  private final PriorityQueue<Live> ends =
      new PriorityQueue<>(Comparator.comparingDouble(Live::end).thenComparingInt(Live::number));
  private final TreeSet<Live> byLatestEnd =
      new TreeSet<>(Comparator.comparingDouble(Live::latestEnd).thenComparingInt(Live::number));
  private final List<Reservation> reservations = new ArrayList<>();
  private int lives;
  private int wantedLeft;
  private double now;

  /** The run times of a scenario. */
  interface Scenario {
    /** Returns the run time of a running attempt, in seconds since its start. */
    double runSeconds(int running);

    /** Returns the run time of a waiting job, in seconds. */
    double waitingRunSeconds(int waiting);
  }

  private QueueDrain(DrainModel model, Scenario scenario) {
    this.model = model;
    this.scenario = scenario;
    this.room = model.room().copy();
    this.starts = new double[model.waiting().size()];
    Arrays.fill(starts, DrainModel.NEVER);
    this.left = new int[starts.length];
    this.queue = new int[starts.length];
    this.shapes = new int[starts.length];
    this.waiting = starts.length;
    int shapeCount = 0;
    for (int at = 0; at < starts.length; at++) {
      WaitingJob job = model.waiting().get(at);
      queue[at] = at;
      left[at] = job.copies();
      shapes[at] = job.shape();
      shapeCount = Math.max(shapeCount, job.shape() + 1);
    }
    this.failed = new boolean[shapeCount];
    this.blocked = new boolean[model.queues()];
  }

  /**
   * Returns the start of each waiting job in seconds from now, {@link DrainModel#NEVER} if it does
   * not start.
   *
   * @param wanted jobs of interest; the scenario ends when they have started
   * @param goOn whether it may go on, for example because its time is not used up
   */
  static double[] starts(
      DrainModel model, Scenario scenario, boolean[] wanted, BooleanSupplier goOn) {
    QueueDrain drain = new QueueDrain(model, scenario);
    for (boolean one : wanted) {
      drain.wantedLeft += one ? 1 : 0;
    }
    drain.run(wanted, goOn);
    return drain.starts;
  }

  private void run(boolean[] wanted, BooleanSupplier goOn) {
    for (int at = 0; at < model.running().size(); at++) {
      RunningAttempt attempt = model.running().get(at);
      double end = scenario.runSeconds(at) - attempt.ageSeconds();
      double known = Math.min(attempt.endSeconds(), Math.min(attempt.latestEnd(), end));
      hold(attempt.demand(), Math.max(0, known), attempt.latestEnd());
    }
    for (int pass = 0; pass < PASSES_MAX && wantedLeft > 0 && goOn.getAsBoolean(); pass++) {
      pass(wanted);
      Live first = ends.peek();
      if (first == null || first.end() == DrainModel.NEVER) {
        return;
      }
      now = Math.max(now, first.end());
      while (!ends.isEmpty() && ends.element().end() <= now + MERGED_SECONDS) {
        Live ended = ends.remove();
        byLatestEnd.remove(ended);
        room.use(ended.demand(), -1);
        now = Math.max(now, ended.end());
      }
    }
  }

  private void hold(Demand demand, double end, double latestEnd) {
    Live live = new Live(demand, end, Math.max(end, latestEnd), lives);
    lives++;
    ends.add(live);
    byLatestEnd.add(live);
  }

  /** Tries the waiting jobs in order, and keeps those that still wait. */
  private void pass(boolean[] wanted) {
    Arrays.fill(failed, false);
    Arrays.fill(blocked, false);
    reservations.clear();
    int kept = 0;
    for (int at = 0; at < waiting; at++) {
      int number = queue[at];
      // A job that cannot start and blocks nothing that is not blocked yet is passed over at once.
      if (!failed[shapes[number]] || !blocked[model.waiting().get(number).queue()]) {
        tryJob(number, wanted);
      }
      if (left[number] > 0) {
        queue[kept] = number;
        kept++;
      }
    }
    waiting = kept;
  }

  private void tryJob(int number, boolean[] wanted) {
    WaitingJob job = model.waiting().get(number);
    if (blocked[job.queue()] && job.rule() == QueueRule.STRICT) {
      return;
    }
    while (left[number] > 0) {
      Demand demand = failed[job.shape()] ? null : fitting(job);
      if (demand == null) {
        failed[job.shape()] = true;
        if (job.rule() == QueueRule.PLANNED && !blocked[job.queue()]) {
          reservations.add(new Reservation(job.options().get(0)));
        }
        blocked[job.queue()] = true;
        return;
      }
      if (!permitted(job, demand)) {
        return;
      }
      start(number, job, demand, wanted);
    }
  }

  private @Nullable Demand fitting(WaitingJob job) {
    for (Demand option : job.options()) {
      if (room.fits(option)) {
        return option;
      }
    }
    return null;
  }

  private boolean permitted(WaitingJob job, Demand demand) {
    for (Reservation reservation : reservations) {
      if (!reservation.permits(demand, now + job.staySeconds())) {
        return false;
      }
    }
    for (Reservation reservation : reservations) {
      reservation.take(demand, now + job.staySeconds());
    }
    return true;
  }

  private void start(int number, WaitingJob job, Demand demand, boolean[] wanted) {
    if (starts[number] == DrainModel.NEVER) {
      starts[number] = now;
      wantedLeft -= wanted[number] ? 1 : 0;
    }
    left[number]--;
    room.use(demand, 1);
    double run = Math.max(MERGED_SECONDS, scenario.waitingRunSeconds(number));
    hold(demand, now + Math.min(run, job.staySeconds()), now + job.staySeconds());
  }

  /** The room of a blocked job at the first time at which it fits by latest ends. */
  private final class Reservation {
    private final Demand demand;
    private @Nullable RoomCells beside;
    private double at = DrainModel.NEVER;

    private Reservation(Demand demand) {
      this.demand = demand;
    }

    /** Computes the time and what is left beside it then, when that is first asked for. */
    private RoomCells beside() {
      RoomCells known = beside;
      if (known == null) {
        known = room.copy();
        for (Live live : byLatestEnd) {
          if (live.latestEnd() == DrainModel.NEVER
              || (at != DrainModel.NEVER && live.latestEnd() > at)) {
            break;
          }
          known.use(live.demand(), -1);
          if (at == DrainModel.NEVER && known.fits(demand)) {
            at = Math.max(now, live.latestEnd());
          }
        }
        if (at != DrainModel.NEVER) {
          known.use(demand, 1);
        }
        beside = known;
      }
      return known;
    }

    /** Returns whether an attempt that ends by a time leaves the room of the blocked job. */
    private boolean permits(Demand other, double until) {
      if (!room.meet(demand, other)) {
        return true;
      }
      RoomCells rest = beside();
      return at != DrainModel.NEVER && (until <= at || rest.fits(other));
    }

    private void take(Demand other, double until) {
      if (room.meet(demand, other) && until > at) {
        beside().use(other, 1);
      }
    }
  }
}
