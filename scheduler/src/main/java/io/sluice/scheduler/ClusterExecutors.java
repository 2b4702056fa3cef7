// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.agroal.api.AgroalDataSource;
import io.sluice.manifests.Configuration;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.execution.ReportWriter;
import io.sluice.scheduler.execution.kubernetes.KubernetesExecutor;
import io.sluice.scheduler.execution.kubernetes.adoption.Adoptions;
import io.sluice.scheduler.execution.kubernetes.cluster.Clusters;
import io.sluice.scheduler.loop.CommittedNodes;
import io.sluice.scheduler.loop.CommittedReasons;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.loop.DefaultNamespaces;
import io.sluice.scheduler.store.cluster.ProvisionedSliceRows;
import io.sluice.scheduler.submission.AdoptionTransaction;
import io.sluice.scheduler.submission.JobCheck;
import jakarta.inject.Singleton;

/** Makes executors that run attempts in clusters. */
@Singleton
final class ClusterExecutors {
  private final AgroalDataSource database;
  private final ServerSettings settings;
  private final Configuration configuration;
  private final JobCheck jobCheck;
  private final CommittedView view;
  private final ReportWriter reports;

  ClusterExecutors(
      AgroalDataSource database,
      ServerSettings settings,
      Configuration configuration,
      JobCheck jobCheck,
      CommittedView view,
      ReportWriter reports) {
    this.database = database;
    this.settings = settings;
    this.configuration = configuration;
    this.jobCheck = jobCheck;
    this.view = view;
    this.reports = reports;
  }

  KubernetesExecutor next(Clusters clusters) {
    return new KubernetesExecutor(
        clusters,
        new CommittedNodes(view, new ProvisionedSliceRows(database)),
        configuration.catalogue(),
        database,
        reports,
        settings.adoption() ? adoptions() : null,
        settings.tpuMetricsPort());
  }

  private Adoptions adoptions() {
    return new Adoptions(
        () -> new AdoptionTransaction(database, jobCheck),
        configuration.readingTerms(),
        new CommittedReasons(view),
        new DefaultNamespaces(view)::names,
        settings.kueueNamespace());
  }
}
