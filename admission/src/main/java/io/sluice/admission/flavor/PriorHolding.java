// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.job.PodSet;
import io.sluice.queuemodel.quantity.ResourceName;
import java.util.List;

/** Quota that counts as a workload's own already, before it is given any. */
public interface PriorHolding {
  /** A workload is given all that it asks for, of any flavor. */
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

  /** Whether these pod sets may have a resource from this flavor. */
  boolean permits(List<PodSet> podSets, ResourceName resource, String flavor);

  /** How much these pod sets have of a resource. They need only what they ask for beyond. */
  long held(List<PodSet> podSets, ResourceName resource);
}
