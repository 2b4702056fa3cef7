// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.quota.policy.LabelSelector.Requirement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The defaults of a ComputeClass for jobs that name it and omit them. That happens when a job is
 * submitted, and never again: an edit of the class changes no job that is there.
 *
 * @param queue name of a LocalQueue in the namespace of each job; null: jobs name their own
 * @param priorityClass name of a WorkloadPriorityClass; null: no default
 * @param selectors alternatives of pod sets that have none, the best first; none: no default
 */
public record ClassDefaults(
    @Nullable String queue, @Nullable String priorityClass, List<List<Requirement>> selectors) {
  public static final ClassDefaults NONE = new ClassDefaults(null, null, List.of());

  public ClassDefaults {
    selectors = selectors.stream().map(List::copyOf).toList();
  }

  /** The same with other selectors. */
  public ClassDefaults choosing(List<List<Requirement>> other) {
    return new ClassDefaults(queue, priorityClass, other);
  }
}
