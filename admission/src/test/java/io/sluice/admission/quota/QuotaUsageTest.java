// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.ResourceQuota;
import io.sluice.queuemodel.quota.policy.QueuePolicies;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Usage whose sums do not fit a long: it saturates, and what was added can be taken back. */
class QuotaUsageTest {
  private static final long MOST = Long.MAX_VALUE;
  private static final long HALF = 1L << 62;
  private static final int MEMORY = 0;

  private static ClusterQueue queue(String name, long nominal, @Nullable Long lendingLimit) {
    return new ClusterQueue(
        ObjectMeta.named("", name),
        "all",
        List.of(
            new ResourceGroup(
                List.of(ResourceName.MEMORY),
                List.of(
                    new FlavorQuotas(
                        "default",
                        List.of(
                            new ResourceQuota(
                                ResourceName.MEMORY, nominal, null, lendingLimit)))))),
        QueuePolicies.DEFAULT);
  }

  private static QuotaUsage usage(ClusterQueue... queues) {
    return new QuotaUsage(new QuotaTree(List.of(queues), List.of(), List.of()));
  }

  @Test
  void sumBeyondALongSaturatesAndIsTakenBackExactly() {
    QuotaUsage usage = usage(queue("a", HALF, null), queue("b", HALF - 1, null));
    int a = usage.tree().node("a");
    int all = usage.tree().cohortNode("all");
    usage.add(a, MEMORY, HALF);
    usage.add(a, MEMORY, HALF);
    usage.add(a, MEMORY, 5);
    assertThat(usage.used(a, MEMORY)).isEqualTo(MOST);
    assertThat(usage.used(all, MEMORY)).isEqualTo(MOST);
    assertThat(usage.borrows(a, MEMORY)).isTrue();
    // The cohort has 2^63 - 1, and 2^63 + 5 is used.
    assertThat(usage.available(a, MEMORY)).isEqualTo(-6);
    usage.remove(a, MEMORY, HALF);
    assertThat(usage.used(a, MEMORY)).isEqualTo(HALF + 5);
    assertThat(usage.available(a, MEMORY)).isEqualTo(HALF - 6);
    usage.remove(a, MEMORY, 5);
    usage.remove(a, MEMORY, HALF);
    assertThat(usage.used(a, MEMORY)).isZero();
    assertThat(usage.used(all, MEMORY)).isZero();
  }

  @Test
  void localQuotaKeepsItsPartOfAUsageBeyondALong() {
    QuotaUsage usage = usage(queue("a", MOST, 0L), queue("b", MOST, null));
    int a = usage.tree().node("a");
    int all = usage.tree().cohortNode("all");
    usage.add(a, MEMORY, MOST - 1);
    // A half is beyond what the queue keeps for itself, so it is used of the cohort's.
    usage.add(a, MEMORY, HALF);
    assertThat(usage.used(a, MEMORY)).isEqualTo(MOST);
    assertThat(usage.used(all, MEMORY)).isEqualTo(HALF - 1);
    assertThat(usage.available(a, MEMORY)).isEqualTo(MOST - HALF + 1);
    usage.remove(a, MEMORY, HALF);
    assertThat(usage.used(all, MEMORY)).isZero();
    assertThat(usage.used(a, MEMORY)).isEqualTo(MOST - 1);
  }

  @Test
  void sharesAreThoseOfTheExactSums() {
    QuotaUsage usage = usage(queue("a", HALF, null), queue("b", HALF - 1, null));
    int a = usage.tree().node("a");
    usage.add(a, MEMORY, HALF);
    DominantShare before = DominantShare.of(usage, a, new long[] {HALF});
    usage.add(a, MEMORY, HALF);
    // It borrows one half of 2^63 - 1, whether that is asked for or counted.
    assertThat(DominantShare.of(usage, a)).isEqualTo(before);
    assertThat(before.rounded()).isEqualTo(501);
    assertThat(DominantShare.of(usage, a, new long[] {HALF}).rounded()).isEqualTo(1000);
  }
}
