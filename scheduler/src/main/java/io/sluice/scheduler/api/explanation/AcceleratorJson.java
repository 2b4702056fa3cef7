// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.scheduler.execution.AcceleratorUse;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** The accelerator use of a job, or of a queue's jobs, as JSON for callers. */
public final class AcceleratorJson {
  private AcceleratorJson() {}

  /** Adds the use; adds nothing if it is null. */
  public static void put(@Nullable AcceleratorUse use, ObjectNode of) {
    if (use == null) {
      return;
    }
    ObjectNode json = of.putObject("accelerators");
    json.put("chips", use.chips());
    putPercent(json, "dutyCyclePercent", use.dutyCycle());
    putPercent(json, "tensorcoreUtilizationPercent", use.tensorcoreUtilization());
    putPercent(json, "memoryBandwidthUtilizationPercent", use.memoryBandwidthUtilization());
    if (use.hbmUsedBytes() != null) {
      json.put("hbmUsedBytes", use.hbmUsedBytes());
    }
    if (use.hbmTotalBytes() != null) {
      json.put("hbmTotalBytes", use.hbmTotalBytes());
    }
    json.put("readAt", use.at().toString());
  }

  private static void putPercent(ObjectNode json, String name, @Nullable Double percent) {
    if (percent != null) {
      json.put(name, BigDecimal.valueOf(percent).setScale(1, RoundingMode.HALF_UP));
    }
  }
}
