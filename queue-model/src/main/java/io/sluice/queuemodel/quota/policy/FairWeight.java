// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

import io.sluice.queuemodel.InvalidValueException;
import java.math.BigDecimal;

/**
 * The weight of a queue in fair sharing: twice the weight may borrow twice as much. With zero
 * nothing that is borrowed is fair. It has no effect without fair sharing.
 */
public record FairWeight(BigDecimal value) {
  public static final FairWeight ONE = new FairWeight(BigDecimal.ONE);

  public FairWeight {
    if (value.signum() < 0) {
      throw new InvalidValueException("a weight must not be negative");
    }
    value = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
  }

  public boolean isZero() {
    return value.signum() == 0;
  }
}
