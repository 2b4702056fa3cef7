// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.queuemodel.quota.policy.FlavorFungibility;
import io.sluice.queuemodel.quota.policy.Ranking;
import java.time.Duration;
import java.util.SplittableRandom;

/** Policies of ClusterQueues in a random world. */
final class RandomPolicies {
  private RandomPolicies() {}

  private static boolean chance(SplittableRandom random, int percent) {
    return random.nextInt(100) < percent;
  }

  static FlavorFungibility fungibility(SplittableRandom random) {
    boolean tryNext = chance(random, 40);
    FlavorFungibility.Preference preference =
        tryNext && chance(random, 50)
            ? FlavorFungibility.Preference.PREEMPTION_OVER_BORROWING
            : FlavorFungibility.Preference.BORROWING_OVER_PREEMPTION;
    return new FlavorFungibility(
        tryNext || chance(random, 20), tryNext || chance(random, 50), preference);
  }

  /** Delays of up to half a minute: the time limits of the random worlds are as short. */
  static Ranking ranking(SplittableRandom random) {
    return new Ranking(1_000L * random.nextInt(5), Duration.ofSeconds(random.nextInt(30)));
  }
}
