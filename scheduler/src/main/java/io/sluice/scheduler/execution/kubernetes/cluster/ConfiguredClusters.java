// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/** The clusters of this server's configuration; none without a kubeconfig. */
@Singleton
public final class ConfiguredClusters implements Part {
  private final @Nullable Clusters clusters;
  private final boolean nodesAreFleet;

  ConfiguredClusters(ServerSettings settings) {
    Clusters.Bounds bounds = Clusters.Bounds.of(settings.kubernetesRequests());
    this.clusters = settings.kubeconfig().map(file -> Clusters.read(file, bounds)).orElse(null);
    this.nodesAreFleet = clusters != null && settings.fleet().isEmpty();
  }

  /** Returns the clusters; null: none are configured. */
  public @Nullable Clusters clusters() {
    return clusters;
  }

  /** Returns the clusters whose nodes are the fleet; null: a file defines the fleet. */
  @Nullable Clusters ofFleet() {
    return nodesAreFleet ? clusters : null;
  }

  @Override
  public StartOrder place() {
    return StartOrder.CLUSTERS;
  }

  /** Starts watching the kubeconfig. */
  @Override
  public void start() {
    if (clusters != null) {
      clusters.follow();
    }
  }

  @Override
  public void close() {
    if (clusters != null) {
      clusters.close();
    }
  }
}
