// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.quota.policy.QueuePolicies;
import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.queuemodel.quota.policy.QueueingStrategy;
import io.sluice.queuemodel.quota.policy.Ranking;
import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rank delay of jobs by their time limits. */
class RankingTest {
  @Test
  void aJobIsDelayedByTheWeightTimesItsLimitUpToTheCap() {
    Ranking ranking = new Ranking(1_500, Duration.ofHours(1));
    assertThat(ranking.delay(Duration.ofMillis(1))).isZero();
    assertThat(ranking.delay(Duration.ofSeconds(10))).isEqualTo(Duration.ofSeconds(15));
    assertThat(ranking.delay(Duration.ofMinutes(39))).isLessThan(Duration.ofHours(1));
    assertThat(ranking.delay(Duration.ofMinutes(40))).isEqualTo(Duration.ofHours(1));
    assertThat(ranking.delay(Duration.ofDays(365))).isEqualTo(Duration.ofHours(1));
    assertThat(ranking.delay(null)).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void extremesOverflowNothing() {
    Ranking heaviest = new Ranking(Ranking.WEIGHT_MILLI_MAX, Ranking.DELAY_MAX);
    assertThat(heaviest.delay(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Ranking.DELAY_MAX);
    Ranking lightest = new Ranking(1, Ranking.DELAY_MAX);
    assertThat(lightest.delay(Duration.ofDays(1))).isEqualTo(Duration.ofSeconds(86));
    assertThat(Ranking.BY_AGE.delay(null)).isZero();
    assertThat(Ranking.DEFAULT.withWeight(BigDecimal.ZERO).delay(null)).isZero();
    assertThatThrownBy(() -> new Ranking(-1, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Ranking(1, Duration.ofDays(31)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onlyPlannedQueuesThatMayPassAJobRankTheirJobs() {
    Queueing planned = Queueing.planned(1);
    QueuePolicies policies = QueuePolicies.DEFAULT.withQueueing(planned);
    assertThat(policies.ranking()).isEqualTo(Ranking.DEFAULT);
    assertThat(policies.withQueueingStrategy(QueueingStrategy.STRICT_FIFO).ranking())
        .isEqualTo(Ranking.BY_AGE);
    assertThat(policies.withQueueing(planned.withMode(Queueing.Mode.KUEUE)).ranking())
        .isEqualTo(Ranking.BY_AGE);
  }
}
