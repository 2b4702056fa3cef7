// SPDX-License-Identifier: Apache-2.0
package io.sluice.computeclasses;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.job.AcceleratorRequest;
import io.sluice.queuemodel.job.WorkloadShape;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quota.ClusterQueue;
import io.sluice.queuemodel.quota.FlavorQuotas;
import io.sluice.queuemodel.quota.ResourceFlavor;
import io.sluice.queuemodel.quota.ResourceGroup;
import io.sluice.queuemodel.quota.Rung;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decides which flavors match a rung. */
public final class RungChoice {
  private RungChoice() {}

  /** On what terms the nodes of a flavor are had, read from its labels; on demand without any. */
  public static CapacityType capacityTypeOf(Labels nodeLabels) {
    if (isTrue(nodeLabels, NodeLabels.SPOT)) {
      return CapacityType.SPOT;
    }
    if (isTrue(nodeLabels, NodeLabels.FLEX_START) || isTrue(nodeLabels, NodeLabels.QUEUED)) {
      return CapacityType.FLEX_START;
    }
    return nodeLabels.get(NodeLabels.RESERVATION) == null
        ? CapacityType.ON_DEMAND
        : CapacityType.RESERVATION;
  }

  private static boolean isTrue(Labels labels, String key) {
    return "true".equals(labels.get(key));
  }

  /**
   * Whether a flavor is of the rung's capacity type and hardware. A label that the flavor does not
   * name may be on its nodes or not: it excludes nothing.
   */
  public static boolean means(Rung rung, ResourceFlavor flavor) {
    if (!rung.isOf(capacityTypeOf(flavor.nodeLabels()))) {
      return false;
    }
    for (Map.Entry<String, List<String>> wanted : rung.selector().entrySet()) {
      String offered = flavor.nodeLabels().get(wanted.getKey());
      if (offered != null && !wanted.getValue().contains(offered)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the slices that a shape asks for, if it does, are those of the rung. */
  public static boolean suits(Rung rung, WorkloadShape shape) {
    AcceleratorRequest request = shape.accelerator();
    Rung.Slices slices = rung.slices();
    return request == null
        || slices == null
        || (slices.type().equals(request.type())
            && slices.topology().equals(request.topology())
            && (long) slices.chipsPerHost() * request.hostsPerSlice()
                == request.topology().chips());
  }

  /**
   * Whether the rungs filter the flavors of a group of resources. Of a shape that asks for slices
   * they filter where the slices come from, and leave alone what its pods need besides from other
   * flavors.
   */
  public static boolean filters(WorkloadShape shape, ResourceGroup group) {
    return shape.accelerator() == null || group.coveredResources().contains(ResourceName.TPU);
  }

  /**
   * The flavors of a queue that the rung means, in the queue's order; none if the rung does not
   * suit the shape.
   *
   * @param flavorOf null: there is no flavor of that name
   */
  public static List<String> flavors(
      Rung rung,
      WorkloadShape shape,
      ClusterQueue queue,
      Function<String, @Nullable ResourceFlavor> flavorOf) {
    List<String> meant = new ArrayList<>();
    if (!suits(rung, shape)) {
      return meant;
    }
    for (ResourceGroup group : queue.resourceGroups()) {
      if (filters(shape, group)) {
        for (FlavorQuotas quotas : group.flavors()) {
          ResourceFlavor flavor = flavorOf.apply(quotas.flavor());
          if (flavor != null && means(rung, flavor)) {
            meant.add(quotas.flavor());
          }
        }
      }
    }
    return meant;
  }
}
