// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.ObjectMeta;
import java.util.List;

/**
 * A named priority.
 *
 * @param value higher is served first
 */
public record WorkloadPriorityClass(ObjectMeta meta, int value, String description)
    implements QuotaObject {
  /** The annotation by which a class consents for its jobs, see {@link #preemptible()}. */
  public static final String PREEMPTIBLE_ANNOTATION = "sluice.io/preemptible";

  /** Whether jobs of this class consent to be evicted for higher-priority work in any queue. */
  public boolean preemptible() {
    return "true".equals(meta.annotations().get(PREEMPTIBLE_ANNOTATION));
  }

  @Override
  public ObjectKind kind() {
    return ObjectKind.WORKLOAD_PRIORITY_CLASS;
  }

  @Override
  public List<ObjectKey> references() {
    return List.of();
  }

  @Override
  public <R> R fold(Fold<R> fold) {
    return fold.priorityClass(this);
  }
}
