// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.cycle.EveryHeadChoice;
import io.sluice.admission.cycle.HeadChoices;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.testing.Seeds;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A cycle that leaves out queues decides as one that looks at all of them. */
class BestFirstPropertyTest {
  private int foundBestFirst;
  private int foundInAll;

  private void sideBySide(SplittableRandom random) {
    SideBySide.live(
        QuotaWorld.lending(random),
        EnginePolicy.DEFAULT,
        List.of(
            HeadChoices.bestFirst(found -> foundBestFirst += found),
            HeadChoices.lookingAtAll(found -> foundInAll += found),
            new EveryHeadChoice()));
  }

  @Test
  void leavingOutQueuesDecidesNothing() {
    Seeds.check(40, this::sideBySide);
    // Else nothing was left out.
    assertThat(foundBestFirst).isLessThan(foundInAll / 100 * 95);
  }
}
