// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.fleet.SliceTopology;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The slices that are interchangeable for a request: offered by one flavor, with one type, topology
 * and number of hosts, all of whose hosts meet the pods' requirements.
 */
public record SlicePool(
    String flavor, String type, SliceTopology topology, int hosts, HostRequirements requirements)
    implements Comparable<SlicePool> {
  private static final Comparator<SlicePool> ORDER =
      Comparator.comparing(SlicePool::flavor)
          .thenComparing(SlicePool::type)
          .thenComparing(SlicePool::topology)
          .thenComparing(SlicePool::hosts)
          .thenComparing(SlicePool::requirements);

  /** Creates a pool without requirements for hosts. */
  public SlicePool(String flavor, String type, SliceTopology topology, int hosts) {
    this(flavor, type, topology, hosts, HostRequirements.NONE);
  }

  /**
   * Returns the slices of a flavor that a shape requests.
   *
   * @throws NullPointerException if it requests none
   */
  public static SlicePool of(String flavor, WorkloadShape shape) {
    AcceleratorRequest request =
        Objects.requireNonNull(shape.accelerator(), "shape requests no slices");
    return new SlicePool(
        flavor,
        request.type(),
        request.topology(),
        request.hostsPerSlice(),
        HostRequirements.of(shape));
  }

  /** Returns the pool of an assignment's slices; null if it uses none. */
  public static @Nullable SlicePool of(Assignment assignment, WorkloadShape shape) {
    if (shape.accelerator() == null) {
      return null;
    }
    for (PodSetAssignment podSet : assignment.podSets()) {
      String flavor = podSet.flavors().get(ResourceName.TPU);
      if (flavor != null) {
        return of(flavor, shape);
      }
    }
    return null;
  }

  @Override
  public int compareTo(SlicePool other) {
    return ORDER.compare(this, other);
  }
}
