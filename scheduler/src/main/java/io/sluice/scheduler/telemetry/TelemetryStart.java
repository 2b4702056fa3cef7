// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.agroal.api.AgroalDataSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.loop.ServerRole;
import io.sluice.scheduler.store.leadership.LeaderRow;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;

/**
 * Registers Sluice's metrics at {@code /q/metrics}, beside those of the process. {@link
 * ServerMeters} is not a bean, since Quarkus would bind it, and so create the role, before the
 * application starts.
 */
@Singleton
class TelemetryStart {
  /** Kept, because the registry only has weak references to what it asks. */
  private @Nullable DatabaseMeters databaseMeters;

  void start(
      @Observes StartupEvent event,
      MeterRegistry registry,
      ScrapeRegistry scraped,
      CommittedView view,
      DecisionCounts counts,
      ServerRole role,
      AgroalDataSource database) {
    scraped.collectFirst(
        new ViewCollector(() -> view.ask(QueueStanding::all), () -> epoch(role), counts));
    new ServerMeters(role::leads, counts).bindTo(registry);
    databaseMeters = new DatabaseMeters(database);
    databaseMeters.bindTo(registry);
  }

  private static long epoch(ServerRole role) {
    LeaderRow leader = role.leader();
    return leader == null ? -1 : leader.epoch();
  }
}
