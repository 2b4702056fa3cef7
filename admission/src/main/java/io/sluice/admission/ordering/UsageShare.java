// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.ordering;

import io.sluice.queuemodel.quota.policy.FairWeight;
import java.math.BigDecimal;

/**
 * The decayed usage of a LocalQueue divided by its weight; a weight of zero gives the largest
 * share. Shares compare exactly, by cross-multiplication.
 */
public record UsageShare(BigDecimal used, FairWeight weight) implements Comparable<UsageShare> {
  /** Creates the share of a LocalQueue with the default weight. */
  public static UsageShare of(BigDecimal used) {
    return new UsageShare(used, FairWeight.ONE);
  }

  @Override
  public int compareTo(UsageShare other) {
    if (weight.isZero() || other.weight.isZero()) {
      return Boolean.compare(weight.isZero(), other.weight.isZero());
    }
    return used.multiply(other.weight.value()).compareTo(other.used.multiply(weight.value()));
  }
}
