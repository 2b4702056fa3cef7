// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.fault;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The probability of each kind of fault.
 *
 * @param perThousand of a thousand occasions, 0 to 1000; a kind that is not named never strikes
 */
public record FaultRates(SortedMap<FaultKind, Integer> perThousand) {
  /** Nothing goes wrong. */
  public static final FaultRates NONE = new FaultRates(new TreeMap<>());

  /** Everything goes wrong now and then. */
  public static final FaultRates USUAL = usual();

  private static final int ALWAYS = 1000;

  /**
   * Copies the rates.
   *
   * @throws IllegalArgumentException if one is not within 0 to 1000
   */
  public FaultRates {
    perThousand = Collections.unmodifiableSortedMap(new TreeMap<>(perThousand));
    for (int rate : perThousand.values()) {
      if (rate < 0 || rate > ALWAYS) {
        throw new IllegalArgumentException("a rate must be within 0 and 1000: " + rate);
      }
    }
  }

  private static FaultRates usual() {
    FaultRates rates = NONE;
    for (FaultKind kind : FaultKind.values()) {
      rates = rates.with(kind, kind.usualPerThousand());
    }
    return rates;
  }

  /** These rates, but one of them another. */
  public FaultRates with(FaultKind kind, int rate) {
    TreeMap<FaultKind, Integer> changed = new TreeMap<>(perThousand);
    changed.put(kind, rate);
    return new FaultRates(changed);
  }

  int of(FaultKind kind) {
    return perThousand.getOrDefault(kind, 0);
  }
}
