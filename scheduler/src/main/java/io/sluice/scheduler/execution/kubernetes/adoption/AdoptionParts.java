// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.adoption;

import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.execution.kubernetes.cluster.ConfiguredClusters;
import io.sluice.scheduler.kueue.KueueSource;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Produces the reader of Kueue's objects. */
final class AdoptionParts {
  @Produces
  @Singleton
  KueueSource kueue(ConfiguredClusters configured, ServerSettings settings) {
    return new KueueReading(configured.clusters(), settings.kueueNamespace());
  }
}
