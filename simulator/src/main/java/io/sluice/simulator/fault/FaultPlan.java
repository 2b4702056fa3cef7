// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.fault;

import java.time.Duration;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Decides by a seed which faults occur, until faults are switched off. */
public final class FaultPlan {
  private static final int THOUSAND = 1000;

  private final FaultRates rates;
  private final SplittableRandom random;
  private final Timeline timeline;
  private final TreeMap<FaultKind, Long> struck = new TreeMap<>();
  private boolean calm;

  public FaultPlan(FaultRates rates, SplittableRandom random, Timeline timeline) {
    this.rates = rates;
    this.random = random;
    this.timeline = timeline;
  }

  /** Whether the fault strikes at this occasion; if so it is counted. */
  public boolean strikes(FaultKind kind) {
    int rate = rates.of(kind);
    boolean strikes = !calm && rate > 0 && random.nextInt(THOUSAND) < rate;
    if (strikes) {
      struck.merge(kind, 1L, Long::sum);
      timeline.add("fault " + kind);
    }
    return strikes;
  }

  public boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  public int number(int bound) {
    return random.nextInt(bound);
  }

  /** A time of at least a millisecond. */
  public Duration upTo(Duration most) {
    return Duration.ofMillis(1 + random.nextLong(most.toMillis()));
  }

  /** From now on nothing strikes. */
  public void calm() {
    calm = true;
  }

  public boolean isCalm() {
    return calm;
  }

  public SortedMap<FaultKind, Long> struck() {
    return new TreeMap<>(struck);
  }
}
