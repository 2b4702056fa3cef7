// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.agroal.api.AgroalDataSource;
import io.quarkus.agroal.DataSource;
import io.quarkus.arc.All;
import io.sluice.admission.CapacityProvider;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.manifests.Configuration;
import io.sluice.scheduler.config.DataDirectory;
import io.sluice.scheduler.config.DurationSetting;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.config.UsageSettings;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.execution.capacity.FleetView;
import io.sluice.scheduler.execution.capacity.InitialFleet;
import io.sluice.scheduler.lifecycle.LeaderPart;
import io.sluice.scheduler.lifecycle.ServerEnd;
import io.sluice.scheduler.notification.WakeUps;
import io.sluice.scheduler.store.leadership.Candidate;
import io.sluice.scheduler.store.leadership.LeaderRow;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.List;

/** Makes the committed view, the role of this server, and its work as a leader. */
final class LoopParts {
  private final AgroalDataSource database;
  private final ServerSettings settings;

  LoopParts(@DataSource("writers") AgroalDataSource database, ServerSettings settings) {
    this.database = database;
    this.settings = settings;
  }

  @Produces
  @Singleton
  CommittedView view(Configuration configuration, DecisionWatch watch) {
    return new CommittedView(policy().withStarts(configuration.starts()), watch);
  }

  /** The policy of decisions; all servers of one database must have the same. */
  private EnginePolicy policy() {
    return EnginePolicy.DEFAULT
        .withFairSharing(settings.fairSharing() ? FairSharing.DEFAULT : null)
        .withAdmissionFairSharing(
            UsageSettings.read(
                settings.usageHalfLife().orElse(null),
                settings.usageSamplingInterval(),
                settings.usageWeights().orElse(List.of())));
  }

  @Produces
  @Singleton
  FleetView fleetView(CommittedView view) {
    return question -> view.ask(question).value();
  }

  @Produces
  @Singleton
  LeaderWork work(
      CommittedView view,
      Executor executor,
      CapacityProvider capacity,
      InitialFleet fleet,
      WakeUps wakeUps) {
    HistorySettings history =
        new HistorySettings(
            settings.snapshotEvery(),
            DurationSetting.HISTORY_RETENTION.read(settings.historyRetention()),
            DurationSetting.ARCHIVE_AFTER.read(settings.archiveAfter()));
    Runnable committed = () -> wakeUps.announce(LeaderRow.CHANNEL);
    return new LeaderWork(database, view, executor, capacity, fleet, committed, history);
  }

  @Produces
  @Singleton
  ServerRole role(CommittedView view, LeaderWork work, @All List<LeaderPart> parts, ServerEnd end) {
    Candidate self =
        new Candidate(DataDirectory.holder(settings.data()), settings.url(), Candidate.LEASE);
    return new ServerRole(database, self, view, work, parts, end::because);
  }
}
