// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.config;

import io.sluice.manifests.Configuration;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.List;

/** Reads the configuration file and the fleet file. */
final class ConfigurationParts {
  /** The fleet of clusters before their nodes are known. */
  private static final Fleet OF_CLUSTERS = new Fleet(ExecutorKind.KUBERNETES, List.of(), List.of());

  private final ServerSettings settings;

  ConfigurationParts(ServerSettings settings) {
    this.settings = settings;
  }

  @Produces
  @Singleton
  Configuration configuration() {
    Configuration read =
        settings.configuration().map(ConfigurationFile::read).orElse(Configuration.DEFAULT);
    return settings.pathwaysController() ? read.withoutPathwaysJobs() : read;
  }

  /** The fleet of the fleet file; all servers of one database must have the same. */
  @Produces
  @Singleton
  Fleet fleet(Configuration configuration) {
    return settings
        .fleet()
        .map(file -> FleetFile.read(file, configuration.catalogue()))
        .orElse(settings.kubeconfig().isPresent() ? OF_CLUSTERS : Fleet.EMPTY);
  }
}
