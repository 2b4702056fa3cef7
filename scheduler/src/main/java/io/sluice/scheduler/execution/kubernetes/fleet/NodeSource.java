// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Source of observations of one cluster's nodes. */
public interface NodeSource extends AutoCloseable {
  /**
   * The state of a cluster.
   *
   * @param unreachableSince null: it answers
   * @param observed null: its nodes are not listed yet
   */
  record Standing(
      String cluster, @Nullable Instant unreachableSince, @Nullable ObservedFleet observed) {}

  /**
   * Returns the latest observation; the same object as long as nothing changed. One thread calls
   * this often.
   */
  ClusterSight look();

  /** Returns the cluster's state. Thread-safe. */
  Standing standing();

  @Override
  void close();
}
