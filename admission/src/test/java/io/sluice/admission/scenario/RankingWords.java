// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.queuemodel.quota.policy.Queueing;
import io.sluice.queuemodel.quota.policy.Ranking;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;

/** Planned queueing in scenarios: {@code planned 2 rank 0.5 1h}; depth and ranking are optional. */
final class RankingWords {
  private RankingWords() {}

  /** Reads what follows {@code planned}. */
  static Queueing read(Words words) {
    String next = words.peek();
    int depth = next != null && next.matches("[0-9]+") ? words.nextInt() : 1;
    Queueing queueing = Queueing.planned(depth);
    if (!words.accept("rank")) {
      return queueing;
    }
    Ranking weighted = Ranking.DEFAULT.withWeight(new BigDecimal(words.next()));
    Duration most = Duration.parse("PT" + words.next().toUpperCase(Locale.ROOT));
    return queueing.withRanking(weighted.withDelayMax(most));
  }
}
