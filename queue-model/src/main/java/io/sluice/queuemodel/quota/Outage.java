// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.Slice;
import java.util.List;

/**
 * Quota, slices and hosts that nobody may use in a period.
 *
 * @param quota amounts of flavors, which all queues together may use less
 * @param slices names of slices of the fleet
 * @param hosts names of hosts; the slices that have them are absent as a whole
 */
public record Outage(
    ObjectMeta meta,
    Period period,
    List<FlavorAmounts> quota,
    List<String> slices,
    List<String> hosts)
    implements DatedObject {
  public Outage {
    quota = List.copyOf(quota);
    slices = List.copyOf(slices);
    hosts = List.copyOf(hosts);
  }

  @Override
  public boolean means(Slice slice) {
    return slices.contains(slice.name()) || slice.hosts().stream().anyMatch(hosts::contains);
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.OUTAGE;
  }

  @Override
  public List<ObjectKey> references() {
    return quota.stream()
        .map(its -> ObjectKey.of(ObjectKind.RESOURCE_FLAVOR, its.flavor()))
        .toList();
  }

  @Override
  public <R> R fold(Fold<R> fold) {
    return fold.outage(this);
  }
}
