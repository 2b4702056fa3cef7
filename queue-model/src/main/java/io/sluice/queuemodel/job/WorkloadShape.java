// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one index of a job asks for. Workloads of equal shape are interchangeable to quota and
 * slices, so a round tries a shape that does not fit once.
 *
 * @param accelerator whole slices; null: none are asked for
 */
public record WorkloadShape(List<PodSet> podSets, @Nullable AcceleratorRequest accelerator) {
  public WorkloadShape {
    podSets = List.copyOf(podSets);
  }

  /** A text that two shapes share if and only if they are equal. */
  public String canonical() {
    return podSets + "|" + accelerator;
  }
}
