// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one index of a job asks for. Workloads of equal shape are interchangeable to quota and
 * slices, so a round tries a shape that does not fit once.
 *
 * @param accelerator whole slices; null: none are asked for
 * @param computeClass name of the class whose ladder is walked; null: every flavor of the queue is
 *     as good as its order says
 */
public record WorkloadShape(
    List<PodSet> podSets, @Nullable AcceleratorRequest accelerator, @Nullable String computeClass) {
  public WorkloadShape {
    podSets = List.copyOf(podSets);
  }

  /** A shape without a class. */
  public WorkloadShape(List<PodSet> podSets, @Nullable AcceleratorRequest accelerator) {
    this(podSets, accelerator, null);
  }

  /** A text that two shapes share if and only if they are equal. */
  public String canonical() {
    String hardware = podSets + "|" + accelerator;
    return computeClass == null ? hardware : hardware + "|" + computeClass;
  }
}
