// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.sluice.restmodel.explanation.AcceleratorUsage;
import io.sluice.scheduler.execution.AcceleratorUse;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Converts the accelerator use of a job, or of a queue's jobs, for answers. */
public final class AcceleratorAnswers {
  private AcceleratorAnswers() {}

  /** The use, with percentages rounded to one place; null if the use is null. */
  public static @Nullable AcceleratorUsage of(@Nullable AcceleratorUse use) {
    return use == null
        ? null
        : new AcceleratorUsage(
            use.chips(),
            rounded(use.dutyCycle()),
            rounded(use.tensorcoreUtilization()),
            rounded(use.memoryBandwidthUtilization()),
            use.hbmUsedBytes(),
            use.hbmTotalBytes(),
            use.at());
  }

  private static @Nullable BigDecimal rounded(@Nullable Double percent) {
    return percent == null ? null : BigDecimal.valueOf(percent).setScale(1, RoundingMode.HALF_UP);
  }
}
