// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.policy.FairWeight;
import io.sluice.testing.ClusterQueueBuilder;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class DominantShareTest {
  private static ClusterQueue queue(String name, long nominal, String weight) {
    return ClusterQueueBuilder.named(name)
        .cohort("lab")
        .nominal("default", ResourceName.MEMORY, nominal)
        .policies(policies -> policies.withFairWeight(new FairWeight(new BigDecimal(weight))))
        .build();
  }

  private static QuotaUsage usage(ClusterQueue... queues) {
    return new QuotaUsage(new QuotaTree(List.of(queues), List.of(), List.of()));
  }

  private static DominantShare share(QuotaUsage usage, String queue, long used) {
    int node = usage.tree().node(queue);
    usage.add(node, 0, used);
    DominantShare share = DominantShare.of(usage, node);
    usage.remove(node, 0, used);
    return share;
  }

  @Test
  void theShareIsWhatIsBorrowedOverWhatCouldBeLentOverTheWeight() {
    QuotaUsage usage = usage(queue("a", 5, "0.5"), queue("b", 5, "1"));
    assertThat(share(usage, "a", 5).rounded()).isZero();
    assertThat(share(usage, "a", 7).rounded()).isEqualTo(400);
    assertThat(share(usage, "b", 7).rounded()).isEqualTo(200);
    assertThat(share(usage, "a", 7)).isEqualTo(share(usage, "b", 9));
    assertThat(share(usage, "a", 7)).isGreaterThan(share(usage, "b", 8));
  }

  @Test
  void withoutWeightWhatIsBorrowedIsMoreThanAnyShare() {
    QuotaUsage usage = usage(queue("none", 0, "0"), queue("more", 0, "0"), queue("b", 9, "0.001"));
    assertThat(share(usage, "none", 1).rounded()).isEqualTo(DominantShare.INFINITE);
    assertThat(share(usage, "none", 1)).isGreaterThan(share(usage, "b", 18));
    assertThat(share(usage, "more", 2)).isGreaterThan(share(usage, "none", 1));
    assertThat(share(usage, "none", 0)).isEqualTo(share(usage, "b", 9));
  }

  /** Floating point would call them equal. */
  @Test
  void sharesThatDifferByLessThanFloatingPointCanTellDiffer() {
    long large = Long.MAX_VALUE / 4;
    QuotaUsage usage = usage(queue("a", 0, "3"), queue("b", 0, "3"), queue("spare", large, "1"));
    assertThat(share(usage, "a", large - 1)).isLessThan(share(usage, "b", large));
  }
}
