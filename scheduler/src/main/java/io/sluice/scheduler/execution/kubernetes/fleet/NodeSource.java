// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.fleet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Where the nodes of one cluster are seen. */
public interface NodeSource extends AutoCloseable {
  /**
   * How it is with a cluster.
   *
   * @param unreachableSince null: it answers
   * @param observed null: its nodes were not listed yet
   */
  record Standing(
      String cluster, @Nullable Instant unreachableSince, @Nullable ObservedFleet observed) {}

  /**
   * What is known of the cluster now; the same object as long as that is the same. Called often,
   * and always by one thread.
   */
  ClusterSight look();

  /** May be asked by any thread. */
  Standing standing();

  @Override
  void close();
}
