// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.flavor.FlavorAssigner;
import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.PreemptionOracle;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.scenario.RandomWorld;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.admission.state.promise.HeldRoom;
import io.sluice.admission.state.promise.Promise;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.state.usage.UsageTrial;
import io.sluice.queuemodel.job.JobId;
import io.sluice.testing.Seeds;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The total of what is held answers as a walk through all that is held does. */
class HeldRoomPropertyTest {
  private enum Answer {
    PERMITTED,
    REFUSED
  }

  private final Map<Answer, Integer> answers = new EnumMap<>(Answer.class);

  @Test
  void whatIsHeldBindsAsIfItWereCountedOneByOne() {
    Seeds.check(15, random -> live(random, RandomWorld.withPlannedQueues(random)));
    Seeds.check(15, random -> live(random, RandomWorld.wide(random)));
    // Else nothing was asked.
    assertThat(answers).containsOnlyKeys(Answer.values());
    assertThat(answers.values()).allMatch(count -> count > 100);
  }

  private void live(SplittableRandom random, RandomWorld world) {
    LivedRounds.live(
        world, EnginePolicy.DEFAULT, (before, inputs, now, events, after) -> check(random, after));
  }

  private void check(SplittableRandom random, AdmissionState state) {
    HeldRoom held = state.plan().heldRoom();
    if (held == null) {
      return;
    }
    for (QueueState queue : state.queues()) {
      for (JobEntry job : queue.pending().inOrder()) {
        for (FlavorAssignment option :
            new FlavorAssigner(state, PreemptionOracle.NOBODY).inEmptyFleet(job)) {
          RoomNeed need = option.need();
          if (need != null) {
            check(state, held, job.id(), need.usage());
            supposing(random, state, held, job.id(), need.usage());
          }
        }
      }
    }
  }

  /** Asks also while other usage is supposed. */
  private void supposing(
      SplittableRandom random, AdmissionState state, HeldRoom held, JobId job, Usage usage) {
    try (UsageTrial trial = new UsageTrial(state.ledger().promised())) {
      state.attempts().stream()
          .filter(attempt -> !attempt.draining() && random.nextBoolean())
          .forEach(attempt -> trial.remove(attempt.usage()));
      check(state, held, job, usage);
    }
  }

  private void check(AdmissionState state, HeldRoom held, JobId job, Usage usage) {
    Promise its = state.plan().of(job);
    List<Promise> own = its == null ? List.of() : List.of(its);
    boolean permitted = oneByOne(state, usage, own);
    answers.merge(permitted ? Answer.PERMITTED : Answer.REFUSED, 1, Integer::sum);
    assertThat(held.permits(usage, own)).isEqualTo(permitted);
  }

  private static boolean oneByOne(AdmissionState state, Usage usage, List<Promise> left) {
    QuotaUsage promised = state.ledger().promised();
    List<Promise> binding = new ArrayList<>();
    for (Promise promise : state.plan().promises()) {
      if (!promise.dated()
          && promise.root() == promised.tree().root(usage.node())
          && !left.contains(promise)
          && (promise.usage().node() == usage.node() || borrows(promised, usage, promise))) {
        binding.add(promise);
      }
    }
    try (UsageTrial trial = new UsageTrial(promised)) {
      binding.forEach(promise -> trial.add(state.plan().guard().held(promise)));
      return binding.isEmpty() || usage.fitsQuota(promised);
    }
  }

  private static boolean borrows(QuotaUsage promised, Usage usage, Promise promise) {
    for (int at = 0; at < usage.size(); at++) {
      int number = usage.flavorResource(at);
      if (promise.usage().amountOf(number) > 0
          && promised.borrowsWith(usage.node(), number, usage.amount(at))) {
        return true;
      }
    }
    return false;
  }
}
