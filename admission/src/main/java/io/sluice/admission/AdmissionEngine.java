// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.cycle.AdmissionCycle;
import io.sluice.admission.cycle.HeadChoice;
import io.sluice.admission.cycle.RoomKeeping;
import io.sluice.admission.decision.Decisions;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.step.ClaimSettlement;
import io.sluice.admission.step.DeadlineWatch;
import io.sluice.admission.step.GrantSettlement;
import io.sluice.admission.step.Growth;
import io.sluice.admission.step.InputConsumption;
import io.sluice.admission.step.MovesUp;
import io.sluice.admission.step.WaitSettlement;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Decides: the same state, the same inputs and the same time give the same events, to the byte.
 *
 * <p>A round, ideally: tell what came in, let time pass, then admit until nothing more can be
 * admitted, as if every pending workload were tried after every change. Deviations for speed, none
 * of which changes an outcome: workloads of one shape are tried once until room appears ({@link
 * io.sluice.admission.state.pending.PendingIndex}), those without a prospect are not tried at all
 * until then, and a round ends early when it has recorded so many events that they should be
 * committed; the next goes on where it stopped.
 */
public final class AdmissionEngine {
  private final AdmissionState state;
  private final HeadChoice choice;
  private final UnaryOperator<RoomKeeping> rooms;

  public AdmissionEngine(AdmissionState state) {
    this(state, HeadChoice.FORESEEING);
  }

  /**
   * An engine with a fault of a test.
   *
   * @param rooms what stands before the room of each cycle
   */
  AdmissionEngine(AdmissionState state, UnaryOperator<RoomKeeping> rooms) {
    this(state, HeadChoice.FORESEEING, rooms);
  }

  /**
   * An engine that tests compare with.
   *
   * @param choice how its cycles find their heads
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
   * One round.
   *
   * @param inputs consumed all of them, in this order
   * @param now of the round; not before that of the last
   * @param eventsMax about how many events to record at most, beyond those of the inputs
   */
  public Round decide(List<Input> inputs, Instant now, int eventsMax) {
    Decisions decisions = new Decisions(state, now);
    // 1. What came in.
    new InputConsumption(decisions).consume(inputs);
    // 2. What is due; capacity that has come is not late.
    state.advance(now);
    new GrantSettlement(decisions).settle();
    new DeadlineWatch(decisions).fire();
    // 3. Who waits for victims or was given slices before everybody else, cycle by cycle, until
    // nothing changes.
    int most = decisions.size() + eventsMax;
    boolean more = true;
    state.tries().beginRound();
    while (more && decisions.size() < most) {
      int before = decisions.size();
      new ClaimSettlement(decisions).settle();
      new WaitSettlement(decisions).settle();
      new GrantSettlement(decisions).settle();
      // What was passed on to somebody who needs less of it goes back, or on, in the next cycle.
      state.tries().unparkFirstTouched();
      boolean tried =
          new AdmissionCycle(decisions, choice, rooms).run() || state.tries().unparkTouched();
      // What was settled, and heads that were passed over, leave rungs: their slices go on.
      more = tried || decisions.size() > before;
    }
    // 4. Who runs takes what those who wait leave.
    new MovesUp(decisions).decide();
    // 5. What nobody else can use.
    if (!more) {
      new Growth(decisions).grow();
    }
    return new Round(decisions.events(), more, decisions.endPassingOver());
  }

  /**
   * What a round decided.
   *
   * @param more whether it stopped before everything was decided
   * @param undecided heads of which something was expected and nothing came: a fault of the engine,
   *     which tries them again in the next round
   */
  public record Round(List<Event> events, boolean more, List<JobId> undecided) {}
}
