// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.step;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.flavor.AssignmentMode;
import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.preemption.VictimSearch;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.Claim;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.Rung;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves attempts that have just saved a checkpoint to better rungs of their compute class. The
 * class must permit it, there must be room that no pending job could use, and the move must pay. A
 * moving attempt claims the room and drains; the claim admits it there afterwards.
 */
public final class MovesUp {
  /** Minimum time between an attempt's admission and its move, so that moves are rare. */
  static final Duration STAY = Duration.ofHours(1);

  private final Decisions decisions;
  private final AdmissionState state;
  private final FlavorAssigner assigner;

  public MovesUp(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
    this.assigner = new FlavorAssigner(state, new VictimSearch(state));
  }

  public void decide() {
    for (Event event : decisions.events()) {
      if (event instanceof Event.CheckpointReported saved) {
        Attempt attempt = state.findAttempt(saved.attempt());
        if (attempt != null && attempt.generation() == saved.generation()) {
          consider(attempt);
        }
      }
    }
  }

  private void consider(Attempt attempt) {
    JobEntry job = attempt.job();
    ComputeClass ladder = state.objects().computeClassOf(job);
    Integer present = attempt.assignment().rung();
    Duration restart = ladder == null ? null : ladder.pursuit().restart();
    if (ladder == null || restart == null || present == null || !mayMove(attempt)) {
      return;
    }
    for (int better = 0; better < Math.min(present, ladder.rungs().size()); better++) {
      Rung rung = ladder.rungs().get(better);
      Assignment wanted = pays(attempt, rung, restart) ? room(attempt, rung, better) : null;
      if (wanted != null) {
        move(attempt, wanted, better, rung);
        return;
      }
    }
  }

  private boolean mayMove(Attempt attempt) {
    JobEntry job = attempt.job();
    return attempt.state() == AttemptState.RUNNING
        && attempt.settled()
        && !attempt.admittedAt().plus(STAY).isAfter(decisions.now())
        && job.hold() == null
        && state.admits(job.workload().queue())
        && state.awaited().isEmpty();
  }

  /** Returns the assignment on a rung beside the present one; null if there is no room. */
  private @Nullable Assignment room(Attempt attempt, Rung rung, int number) {
    JobEntry job = attempt.job();
    FlavorAssignment found = assigner.assignOn(job, rung);
    RoomNeed need = found.need();
    if (found.mode() != AssignmentMode.FIT
        || need == null
        || !state.plan().guard().permitsMove(job, need.usage())) {
      return null;
    }
    SlicePool pool = need.pool();
    List<String> slices = freeSlices(attempt, need);
    boolean elsewhere =
        pool == null
            ? !found.podSets().equals(attempt.assignment().podSets())
            : attempt.assignment().slices().stream()
                .noneMatch(slice -> state.slices().sharesHosts(slice, pool));
    return elsewhere && slices.size() == need.slices()
        ? new Assignment(job.queue().name(), found.podSets(), slices, number)
        : null;
  }

  /** Returns free slices that are not kept for planned starts. */
  private List<String> freeSlices(Attempt attempt, RoomNeed need) {
    Runnable giveBack = state.plan().guard().keepSlicesFrom(attempt);
    try {
      return need.freeSlices(state.slices());
    } finally {
      giveBack.run();
    }
  }

  /**
   * Returns whether the saving in the remaining time exceeds the cost of the restart. Without both
   * prices, the order of the rungs replaces the prices.
   */
  private boolean pays(Attempt attempt, Rung better, Duration restart) {
    Duration remaining = remaining(attempt);
    BigDecimal price = attempt.terms().pricePerChipHour();
    BigDecimal betterPrice = better.terms().pricePerChipHour();
    if (price == null || betterPrice == null) {
      return remaining.compareTo(restart) > 0;
    }
    BigDecimal saved = price.subtract(betterPrice).multiply(millis(remaining));
    return saved.compareTo(betterPrice.multiply(millis(restart))) > 0;
  }

  private static BigDecimal millis(Duration duration) {
    return BigDecimal.valueOf(duration.toMillis());
  }

  /** Returns the rest of the time limit; without a limit, the time that it has run so far. */
  private Duration remaining(Attempt attempt) {
    Duration limit = attempt.job().workload().limits().timeLimit();
    Duration ran =
        attempt.startedAt() == null
            ? Duration.ZERO
            : Duration.between(attempt.startedAt(), decisions.now());
    return limit == null ? ran : limit.minus(ran);
  }

  private void move(Attempt attempt, Assignment wanted, int number, Rung rung) {
    Duration grace = attempt.job().workload().limits().gracePeriod();
    decisions.record(
        new Event.AttemptDraining(
            attempt.key(), Drain.movedUp(number, rung.capacityType().word())));
    decisions.record(
        new Event.Claimed(
            new Claim(
                attempt.key().indexKey(),
                wanted,
                List.of(attempt.key()),
                List.of(),
                decisions.now().plus(grace).plus(ClaimState.ALLOWANCE),
                decisions.now())));
  }
}
