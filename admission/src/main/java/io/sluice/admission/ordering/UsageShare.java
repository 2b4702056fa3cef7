// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.ordering;

import io.sluice.queuemodel.quota.policy.FairWeight;
import java.math.BigDecimal;

/**
 * What a LocalQueue has used of late, divided by its weight; with a weight of zero it is more than
 * any other. Compared exactly: by products, without dividing.
 */
public record UsageShare(BigDecimal used, FairWeight weight) implements Comparable<UsageShare> {
  /** A share of a LocalQueue with the usual weight. */
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
