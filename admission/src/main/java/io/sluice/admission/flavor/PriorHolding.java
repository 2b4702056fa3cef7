// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;

/** Quota that a workload already holds before its assignment. */
public interface PriorHolding {
  /** The workload holds nothing and may use every flavor. */
  PriorHolding NONE =
      new PriorHolding() {
        @Override
        public boolean permits(List<PodSet> podSets, ResourceName resource, String flavor) {
          return true;
        }

        @Override
        public long held(List<PodSet> podSets, ResourceName resource) {
          return 0;
        }
      };

  /** Returns whether these pod sets may use a resource of this flavor. */
  boolean permits(List<PodSet> podSets, ResourceName resource, String flavor);

  /**
   * Returns the amount of a resource that these pod sets hold. They need only the amount beyond.
   */
  long held(List<PodSet> podSets, ResourceName resource);
}
