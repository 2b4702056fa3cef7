// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import io.sluice.queuemodel.quantity.ResourceList;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The capacity of a node that pods outside Sluice use.
 *
 * @param pods the first pods by name, at most {@link #NAMED_MAX}; those with chips come first
 * @param count number of pods
 * @param ofChips the first pod with chips; null: none
 */
public record OutsideUse(
    List<String> pods, int count, @Nullable String ofChips, ResourceList requests) {
  /** The most pods that are named per node. */
  static final int NAMED_MAX = 5;

  public OutsideUse {
    pods = List.copyOf(pods);
  }

  /** Returns the use of one node. */
  static OutsideUse of(List<OutsidePod> pods) {
    List<OutsidePod> sorted = new ArrayList<>(pods);
    sorted.sort(
        (one, other) ->
            one.usesTpus() == other.usesTpus()
                ? one.name().compareTo(other.name())
                : Boolean.compare(other.usesTpus(), one.usesTpus()));
    TreeMap<ResourceName, Long> sum = new TreeMap<>();
    for (OutsidePod pod : sorted) {
      pod.requests()
          .amounts()
          .forEach((resource, amount) -> sum.merge(resource, amount, OutsidePod::plus));
    }
    OutsidePod first = sorted.get(0);
    return new OutsideUse(
        sorted.stream().limit(NAMED_MAX).map(OutsidePod::name).toList(),
        sorted.size(),
        first.usesTpus() ? first.name() : null,
        new ResourceList(sum));
  }

  /** Returns the capacity of a host minus this use. */
  ResourceList leftOf(ResourceList capacity) {
    TreeMap<ResourceName, Long> left = new TreeMap<>(capacity.amounts());
    for (Map.Entry<ResourceName, Long> entry : left.entrySet()) {
      entry.setValue(Math.max(0, entry.getValue() - requests.get(entry.getKey())));
    }
    return new ResourceList(left);
  }
}
