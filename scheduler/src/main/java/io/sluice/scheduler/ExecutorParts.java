// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.sluice.manifests.Configuration;
import io.sluice.queuemodel.fleet.ExecutorKind;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.scheduler.config.DataDirectory;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.execution.ExecutorSuccession;
import io.sluice.scheduler.execution.ReportWriter;
import io.sluice.scheduler.execution.kubernetes.cluster.Clusters;
import io.sluice.scheduler.execution.kubernetes.cluster.ConfiguredClusters;
import io.sluice.scheduler.execution.local.LocalExecutor;
import io.sluice.scheduler.execution.local.files.LocalExecutorSettings;
import io.sluice.scheduler.execution.simulated.SimulatedExecutor;
import io.sluice.scheduler.security.IssuedTokens;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/**
 * Chooses the executor: clusters if the server has any, otherwise the executor that the fleet
 * names.
 */
final class ExecutorParts {
  private static final Logger LOG = Logger.getLogger(ExecutorParts.class);

  private final ServerSettings settings;
  private final Configuration configuration;
  private final Fleet fleet;
  private final ReportWriter reports;
  private final IssuedTokens issued;

  ExecutorParts(
      ServerSettings settings,
      Configuration configuration,
      Fleet fleet,
      ReportWriter reports,
      IssuedTokens issued) {
    this.issued = issued;
    this.settings = settings;
    this.configuration = configuration;
    this.fleet = fleet;
    this.reports = reports;
  }

  @Produces
  @Singleton
  ExecutorSuccession executor(ConfiguredClusters configured, ClusterExecutors ofClusters) {
    Clusters clusters = configured.clusters();
    return new ExecutorSuccession(
        clusters == null ? this::withoutClusters : () -> ofClusters.next(clusters));
  }

  private Executor withoutClusters() {
    if (fleet.executor() == ExecutorKind.SIMULATED) {
      return new SimulatedExecutor(reports);
    }
    LocalExecutorSettings local =
        LocalExecutorSettings.of(DataDirectory.executor(settings.data()), () -> fleet)
            .knowing(configuration.catalogue())
            .logging(LocalJobs.logBytes(settings.jobLogLimit()))
            .keeping(settings.secrets().orElse(null))
            .isolating(
                LocalJobs.isolation(
                    settings.jobAccounts().orElse(null),
                    settings.jobProcesses(),
                    settings.jobCgroup().orElse(null),
                    settings.trustCallers(),
                    () -> settings.tokens().isPresent() || issued.isAny()));
    if (settings.runContainersAsProcesses()) {
      LOG.warn(
          "containers of manifests run as processes of this machine: without their images, and with"
              + " no more isolation than other jobs");
      local = local.runningContainers();
    }
    return new LocalExecutor(settings.endJobs() ? local.endingOnClose() : local, reports);
  }
}
