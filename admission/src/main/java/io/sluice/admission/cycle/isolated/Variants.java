// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle.isolated;

import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.fact.QueueState;
import io.sluice.queuemodel.quota.ResourceGroup;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides which variants of a workload block each other, as in Kueue's concurrent admission. A
 * variant on a later flavor of its queue waits while another runs on an earlier one; a variant on
 * an earlier flavor evicts those on later ones. The flavors are those of the queue's first resource
 * group.
 */
final class Variants {
  private static final int UNKNOWN = -1;

  private final JobRelations relations;

  Variants(JobRelations relations) {
    this.relations = relations;
  }

  /** Returns whether another variant of a head's workload runs on a better flavor. */
  boolean heldBack(JobEntry head) {
    int own = place(head);
    return running(head, other -> own > other) != null;
  }

  /** Returns a running variant on a worse flavor; null if there is none. */
  @Nullable Attempt onWorseFlavor(JobEntry head) {
    int own = place(head);
    return running(head, other -> other > own);
  }

  /** Returns whether a head's flavor permits it to evict another variant. */
  boolean mayMigrate(JobEntry head) {
    String last = relations.lastFlavor(head.queue().name());
    return last == null || place(head) <= place(head.queue(), last);
  }

  private @Nullable Attempt running(JobEntry head, IntPredicate placed) {
    JobRelations.Variant own = relations.variant(head.id());
    if (own == null || place(head) == UNKNOWN) {
      return null;
    }
    for (Attempt attempt : head.queue().live()) {
      JobRelations.Variant other = relations.variant(attempt.job().id());
      boolean sibling =
          other != null
              && other.workload().equals(own.workload())
              && !attempt.job().equals(head)
              && !relations.awaitsChecks(attempt.job().id());
      if (sibling && place(attempt.job()) != UNKNOWN && placed.test(place(attempt.job()))) {
        return attempt;
      }
    }
    return null;
  }

  private int place(JobEntry job) {
    JobRelations.Variant variant = relations.variant(job.id());
    return variant == null ? UNKNOWN : place(job.queue(), variant.flavor());
  }

  private static int place(QueueState queue, String flavor) {
    if (queue.spec().resourceGroups().isEmpty()) {
      return UNKNOWN;
    }
    ResourceGroup first = queue.spec().resourceGroups().get(0);
    for (int place = 0; place < first.flavors().size(); place++) {
      if (first.flavors().get(place).flavor().equals(flavor)) {
        return place;
      }
    }
    return UNKNOWN;
  }
}
