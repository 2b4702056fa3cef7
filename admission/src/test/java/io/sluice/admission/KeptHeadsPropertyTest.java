// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.cycle.HeadChoices;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.quota.FreeQuota;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.heads.QueueHeads;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.testing.Seeds;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is kept of the heads of queues from cycle to cycle, against looking at all of them. */
class KeptHeadsPropertyTest {
  private static final int ROUNDS = 25;
  private static final EnginePolicy FAIR =
      EnginePolicy.DEFAULT.withFairSharing(FairSharing.DEFAULT);
  private static final EnginePolicy FAIR_BY_SHARES_ALONE =
      EnginePolicy.DEFAULT.withFairSharing(
          new FairSharing(FairSharing.DEFAULT.strategies(), true, false));

  private final Map<QueueHeads.Answer, Integer> answers = new EnumMap<>(QueueHeads.Answer.class);
  private int admitted;

  private void live(QuotaWorld world, EnginePolicy policy) {
    AdmissionState kept = AdmissionState.restore(StateSnapshot.empty(), policy);
    AdmissionState naive = AdmissionState.restore(StateSnapshot.empty(), policy);
    AdmissionEngine engine = new AdmissionEngine(kept);
    AdmissionEngine another = new AdmissionEngine(naive, HeadChoices.NOMINATING);
    Instant now = Instant.EPOCH.plusSeconds(10_000);
    List<Input> inputs = world.setUp();
    for (int round = 0; round < ROUNDS; round++) {
      List<Event> events = engine.decide(inputs, now, LivedRounds.EVENTS_MAX).events();
      assertThat(events).isEqualTo(another.decide(inputs, now, LivedRounds.EVENTS_MAX).events());
      admitted += (int) events.stream().filter(event -> event instanceof Event.Admitted).count();
      now = now.plusMillis(700);
      inputs = world.next(kept, now);
      if (round % 5 == 4) {
        count(kept);
      }
    }
    assertThat(kept.snapshot()).isEqualTo(naive.snapshot());
  }

  /** What would be answered of each queue if everything had ended. */
  private void count(AdmissionState state) {
    FreeQuota free = AdmissionState.restore(withoutAttempts(state), state.policy()).ledger().free();
    for (int node = 0; node < state.ledger().tree().queues(); node++) {
      answers.merge(
          state.tries().heads().look(node, free, null, Integer.MAX_VALUE), 1, Integer::sum);
    }
  }

  private static StateSnapshot withoutAttempts(AdmissionState state) {
    AdmissionState empty = new AdmissionState();
    state
        .objects()
        .all()
        .forEach(object -> empty.apply(new Event.ObjectSet(object, 1), state.now()));
    return empty.snapshot();
  }

  @Test
  void whatIsKeptOfHeadsDecidesAsTryingThemAnewDoes() {
    for (EnginePolicy policy : List.of(EnginePolicy.DEFAULT, FAIR, FAIR_BY_SHARES_ALONE)) {
      Seeds.check(10, random -> live(new QuotaWorld(random, 0), policy));
      Seeds.check(15, random -> live(new QuotaWorld(random, 25), policy));
    }
    // Else nothing was tried.
    assertThat(admitted).isGreaterThan(20_000);
    assertThat(answers).containsOnlyKeys(QueueHeads.Answer.values());
  }
}
