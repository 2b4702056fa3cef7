// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.Slice;
import java.util.ArrayList;
import java.util.List;

/**
 * Quota and slices that only one ClusterQueue may use in a period. Others may use them before, if
 * they end in time.
 *
 * @param quota amounts of flavors; each entry has at least one amount
 * @param slices names of slices of the fleet
 */
public record Booking(
    ObjectMeta meta,
    String clusterQueue,
    Period period,
    List<FlavorAmounts> quota,
    List<String> slices)
    implements DatedObject {
  public Booking {
    quota = List.copyOf(quota);
    slices = List.copyOf(slices);
  }

  @Override
  public boolean means(Slice slice) {
    return slices.contains(slice.name());
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.BOOKING;
  }

  @Override
  public List<ObjectKey> references() {
    List<ObjectKey> references = new ArrayList<>();
    references.add(ObjectKey.of(ObjectKind.CLUSTER_QUEUE, clusterQueue));
    quota.forEach(its -> references.add(ObjectKey.of(ObjectKind.RESOURCE_FLAVOR, its.flavor())));
    return references;
  }

  @Override
  public <R> R fold(Fold<R> fold) {
    return fold.booking(this);
  }
}
