// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.cycle.AdmissionCycle;
import io.sluice.admission.cycle.HeadChoice;
import io.sluice.admission.cycle.RoomKeeping;
import io.sluice.admission.decision.Decisions;
import io.sluice.admission.plan.FillerDrain;
import io.sluice.admission.plan.Planning;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.step.ClaimSettlement;
import io.sluice.admission.step.DeadlineWatch;
import io.sluice.admission.step.GrantSettlement;
import io.sluice.admission.step.Growth;
import io.sluice.admission.step.InputConsumption;
import io.sluice.admission.step.LimitChanges;
import io.sluice.admission.step.MovesUp;
import io.sluice.admission.step.WaitSettlement;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The scheduling engine: turns state, inputs and time into events. It is deterministic: the same
 * state, inputs and time give the same events, byte for byte.
 *
 * <p>The ideal round consumes the inputs, fires due deadlines, and tries every pending workload
 * after every change until no more can be admitted. It deviates for speed, without changing an
 * outcome. Workloads of one shape are tried once until room appears ({@link
 * io.sluice.admission.state.pending.PendingIndex}). Workloads without a prospect are not tried
 * until then. A round ends early once it has recorded enough events for a commit; the next round
 * continues where it stopped.
 */
public final class AdmissionEngine {
  private final AdmissionState state;
  private final HeadChoice choice;
  private final UnaryOperator<RoomKeeping> rooms;

  public AdmissionEngine(AdmissionState state) {
    this(state, HeadChoice.FORESEEING);
  }

  /**
   * Creates an engine with a fault injected by a test.
   *
   * @param rooms wraps the room keeping of each cycle
   */
  AdmissionEngine(AdmissionState state, UnaryOperator<RoomKeeping> rooms) {
    this(state, HeadChoice.FORESEEING, rooms);
  }

  /**
   * Creates a reference engine that tests compare with.
   *
   * @param choice how cycles choose heads
   */
  AdmissionEngine(AdmissionState state, HeadChoice choice) {
    this(state, choice, UnaryOperator.identity());
  }

  private AdmissionEngine(
      AdmissionState state, HeadChoice choice, UnaryOperator<RoomKeeping> rooms) {
    this.rooms = rooms;
    this.state = state;
    this.choice = choice;
  }

  public AdmissionState state() {
    return state;
  }

  /**
   * Decides one round.
   *
   * @param inputs inputs to consume, in this order; all are consumed
   * @param now time of the round; not before that of the last round
   * @param eventsMax approximate maximum number of events, beyond those of the inputs
   */
  public Round decide(List<Input> inputs, Instant now, int eventsMax) {
    Decisions decisions = new Decisions(state, now);
    state.plan().beginRound();
    // 1. Consume the inputs.
    new InputConsumption(decisions).consume(inputs);
    // 2. Change limits. Then fire due deadlines, after settling grants: capacity that has come is
    // not late.
    state.advance(now);
    new LimitChanges(decisions).decide(inputs);
    new GrantSettlement(decisions).settle();
    new DeadlineWatch(decisions).fire();
    // 3. Settle claims and early grants, then run cycles, until nothing changes.
    int most = decisions.size() + eventsMax;
    boolean more = true;
    state.tries().beginRound();
    Planning planning = new Planning(decisions);
    while (more && decisions.size() < most) {
      int before = decisions.size();
      new ClaimSettlement(decisions).settle();
      new WaitSettlement(decisions).settle();
      new GrantSettlement(decisions).settle();
      // The next cycle returns or passes on again what exceeds the need of the job that got it.
      state.tries().unparkFirstTouched();
      // Planned starts become earlier before a head is tried, so that it fits beside them.
      if (planning.settle()) {
        // A start that was withdrawn or moved frees room, and a place among the planned ones.
        state.tries().unparkTouched();
      }
      new FillerDrain(decisions).drain();
      boolean tried =
          new AdmissionCycle(decisions, choice, rooms).run() || state.tries().unparkTouched();
      // Settlements and heads that were passed over leave rungs, which frees their slices.
      more = tried || decisions.size() > before || planning.moveHeldUp();
    }
    more |= state.plan().hasToRefit();
    // 4. Move running attempts to better capacity that no pending job needs.
    int settled = decisions.size();
    new MovesUp(decisions).decide();
    // 5. Grow elastic attempts into room that no pending job can use.
    if (!more) {
      new Growth(decisions).grow();
    }
    // A job whose start needed no plan, or no hold, because there was room, may need one now.
    more |= decisions.size() > settled;
    return new Round(decisions.events(), more, decisions.endPassingOver());
  }

  /**
   * The decisions of one round.
   *
   * @param more whether the round stopped before everything was decided
   * @param undecided heads that should have led to a decision and did not: a fault of the engine,
   *     which tries them again in the next round
   */
  public record Round(List<Event> events, boolean more, List<JobId> undecided) {}
}
