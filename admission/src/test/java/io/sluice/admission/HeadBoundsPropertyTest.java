// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.LivedRounds.RoundCheck;
import io.sluice.admission.cycle.EveryHeadChoice;
import io.sluice.admission.cycle.HeadChoice;
import io.sluice.admission.cycle.HeadChoices;
import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.scenario.World;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.Input;
import io.sluice.testing.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** No decision depends on which heads a bound passes over, or on which jobs are parked. */
class HeadBoundsPropertyTest {
  /** How many queues of a hundred have several flavors, may evict, or are else unlike most. */
  private static final int UNLIKE = 25;

  private static final EnginePolicy FAIR =
      EnginePolicy.DEFAULT.withFairSharing(FairSharing.DEFAULT);
  private static final EnginePolicy FAIR_BY_SHARES_ALONE =
      EnginePolicy.DEFAULT.withFairSharing(
          new FairSharing(FairSharing.DEFAULT.strategies(), true, false));
  private static final EnginePolicy BY_USAGE =
      EnginePolicy.DEFAULT.withAdmissionFairSharing(
          new AdmissionFairSharing(Duration.ofSeconds(15), Duration.ofSeconds(2), new TreeMap<>()));

  private final List<EveryHeadChoice> unparked = new ArrayList<>();

  private EveryHeadChoice unparked() {
    EveryHeadChoice choice = new EveryHeadChoice();
    unparked.add(choice);
    return choice;
  }

  private int triedInVain() {
    return unparked.stream().mapToInt(EveryHeadChoice::triedInVain).sum();
  }

  /** Engines that live on side by side in a world of many queues record the same events. */
  private void sideBySide(SplittableRandom random, EnginePolicy policy) {
    SideBySide.live(
        new QuotaWorld(random, UNLIKE),
        policy,
        List.of(
            HeadChoice.FORESEEING,
            HeadChoices.TRYING_EVERYBODY,
            HeadChoices.bestFirst(any -> {}),
            HeadChoices.bounding(new SplittableRandom(UNLIKE)),
            unparked()));
  }

  private void sideBySide(SplittableRandom random) {
    sideBySide(random, EnginePolicy.DEFAULT);
  }

  /** A round that began with nothing parked comes out the same, however heads are found. */
  private void checkChoices(
      StateSnapshot before,
      List<Input> inputs,
      Instant now,
      List<Event> events,
      AdmissionState after) {
    if (before.lastRoundAt() != null) {
      for (HeadChoice choice :
          List.of(HeadChoices.TRYING_EVERYBODY, HeadChoices.bestFirst(any -> {}), unparked())) {
        AdmissionState restored = AdmissionState.restore(before, after.policy());
        AdmissionEngine another = new AdmissionEngine(restored, choice);
        assertThat(World.whole(another, inputs, now)).isEqualTo(events);
      }
    }
  }

  @Test
  void tryingEverybodyDecidesTheSameAmongManyQueues() {
    for (EnginePolicy policy : List.of(EnginePolicy.DEFAULT, FAIR, FAIR_BY_SHARES_ALONE)) {
      Seeds.check(10, random -> sideBySide(random, policy));
    }
    // Else nothing was tried.
    assertThat(triedInVain()).isGreaterThan(4_000);
  }

  @Test
  void tryingEverybodyDecidesTheSameInWideTrees() {
    RoundCheck check = this::checkChoices;
    for (EnginePolicy policy : List.of(EnginePolicy.DEFAULT, FAIR)) {
      Seeds.check(8, random -> LivedRounds.live(RandomWorld.wide(random), policy, check));
      Seeds.check(
          6, random -> LivedRounds.live(RandomWorld.wideWithoutLadders(random), policy, check));
    }
  }

  @Test
  void parkingDecidesNothingInSmallTrees() {
    RoundCheck check = this::checkChoices;
    Seeds.check(6, random -> LivedRounds.live(new RandomWorld(random), FAIR, check));
    Seeds.check(
        6, random -> LivedRounds.live(new RandomWorld(random), EnginePolicy.DEFAULT, check));
    Seeds.check(5, random -> LivedRounds.live(RandomWorld.byUsage(random), BY_USAGE, check));
    Seeds.check(
        8,
        random ->
            LivedRounds.live(RandomWorld.withTopologies(random), EnginePolicy.DEFAULT, check));
    Seeds.check(
        8, random -> LivedRounds.live(RandomWorld.withCubes(random), EnginePolicy.DEFAULT, check));
  }

  /** A head that was passed over came back a cycle before one that was tried in vain. */
  @Test
  void aHeadThatWasPassedOverWaitsForRoomAsOneThatWasTriedDoes() {
    Seeds.check(23L, this::sideBySide);
    Seeds.check(24L, this::sideBySide);
    Seeds.check(27L, this::sideBySide);
  }

  /** The same in worlds of cohorts with slices, reports and edits. */
  @Test
  void aHeadThatWasPassedOverWaitsForRoomInWideTreesToo() {
    for (long seed : new long[] {23, 24, 27, 49}) {
      Seeds.check(
          seed,
          random ->
              LivedRounds.live(
                  RandomWorld.wideWithoutLadders(random),
                  EnginePolicy.DEFAULT,
                  this::checkChoices));
      Seeds.check(
          seed,
          random ->
              LivedRounds.live(RandomWorld.wide(random), EnginePolicy.DEFAULT, this::checkChoices));
    }
  }
}
