// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.identity;

import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.execution.kubernetes.cluster.Clusters;
import io.sluice.scheduler.execution.kubernetes.cluster.ConfiguredClusters;
import io.sluice.scheduler.security.IdentityTokens;
import jakarta.annotation.Priority;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Accepts tokens of the default cluster, if the server is told an audience for them. */
final class ClusterTokenParts {
  /** Before an identity provider, which takes each signed token for its own. */
  private static final int FIRST = 10;

  @Produces
  @Singleton
  @Priority(FIRST)
  IdentityTokens tokens(ServerSettings settings, ConfiguredClusters configured) {
    Clusters clusters = configured.clusters();
    String audience = settings.clusterTokenAudience().orElse(null);
    return clusters == null || audience == null
        ? IdentityTokens.NONE
        : new ClusterTokens(() -> clusters.all().get(0).client(), audience, InstantSource.system());
  }
}
