// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quantity.ResourceTransformations;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The request of one index of a job; equal jobs share a shape. Workloads of equal shape are
 * interchangeable to quota and slices, so a round tries a shape that does not fit once.
 *
 * @param accelerator whole slices, whose hosts are the pods of the one pod set that asks for {@code
 *     google.com/tpu}; null: none are asked for
 * @param computeClass name of the class whose ladder is walked; null: every flavor of the queue is
 *     as good as its order says
 * @param onlyFlavors the flavors that it may be given; none named: all of its queue
 */
public record WorkloadShape(
    List<PodSet> podSets,
    @Nullable AcceleratorRequest accelerator,
    @Nullable String computeClass,
    List<String> onlyFlavors) {
  public WorkloadShape {
    podSets = List.copyOf(podSets);
    onlyFlavors = List.copyOf(onlyFlavors);
  }

  /** A shape that may be given every flavor of its queue. */
  public WorkloadShape(
      List<PodSet> podSets,
      @Nullable AcceleratorRequest accelerator,
      @Nullable String computeClass) {
    this(podSets, accelerator, computeClass, List.of());
  }

  /** A shape without a class. */
  public WorkloadShape(List<PodSet> podSets, @Nullable AcceleratorRequest accelerator) {
    this(podSets, accelerator, null);
  }

  /**
   * The same as it counts against quota. Chips of whole slices count as chips, come what may: by
   * them slices and quota are found together.
   *
   * @throws InvalidValueException if an amount does not fit a long
   */
  public WorkloadShape transformed(ResourceTransformations transformations) {
    if (transformations.isEmpty()) {
      return this;
    }
    return new WorkloadShape(
        podSets.stream().map(podSet -> transformed(podSet, transformations)).toList(),
        accelerator,
        computeClass,
        onlyFlavors);
  }

  private PodSet transformed(PodSet podSet, ResourceTransformations transformations) {
    ResourceList counted = transformations.of(podSet.requests());
    Long chips = podSet.requests().amounts().get(ResourceName.TPU);
    if (accelerator != null && chips != null) {
      TreeMap<ResourceName, Long> amounts = new TreeMap<>(counted.amounts());
      amounts.put(ResourceName.TPU, chips);
      counted = new ResourceList(amounts);
    }
    return podSet.withRequests(counted);
  }

  /** Its pod sets with so many slices; those that stand beside the slices keep their pods. */
  public List<PodSet> podSets(int slices) {
    AcceleratorRequest asked = accelerator;
    if (asked == null || slices == asked.slices().max()) {
      return podSets;
    }
    int most = asked.slices().max();
    return podSets.stream()
        .map(
            podSet -> podSet.onSlices() ? podSet.withCount(podSet.count() / most * slices) : podSet)
        .toList();
  }

  /** Its pod sets with as few slices as it may do with. */
  public List<PodSet> leastPodSets() {
    return accelerator == null ? podSets : podSets(accelerator.slices().min());
  }

  /** How many slices pod sets are on that {@link #podSets(int)} gave; 0 without an accelerator. */
  public int slicesOf(List<PodSet> some) {
    AcceleratorRequest asked = accelerator;
    if (asked == null) {
      return 0;
    }
    int most = asked.slices().max();
    for (int at = 0; asked.elastic() && at < podSets.size(); at++) {
      if (podSets.get(at).onSlices()) {
        return some.get(at).count() / (podSets.get(at).count() / most);
      }
    }
    return most;
  }

  /** Whether it may be given a flavor. */
  public boolean allows(String flavor) {
    return onlyFlavors.isEmpty() || onlyFlavors.contains(flavor);
  }

  /** A text that two shapes share if and only if they are equal. */
  public String canonical() {
    String hardware = podSets + "|" + accelerator;
    String classed = computeClass == null ? hardware : hardware + "|" + computeClass;
    return onlyFlavors.isEmpty() ? classed : classed + "|" + onlyFlavors;
  }
}
