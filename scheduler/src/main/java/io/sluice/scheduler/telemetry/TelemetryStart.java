// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.prometheus.client.CollectorRegistry;
import io.quarkus.runtime.StartupEvent;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.loop.ServerRole;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Has {@code /q/metrics} answer with our metrics too, beside those of the process. */
@Singleton
class TelemetryStart {
  void start(
      @Observes StartupEvent event,
      CollectorRegistry registry,
      CommittedView view,
      DecisionCounts counts,
      ServerRole role) {
    registry.register(new ServerCollector(
            () -> view.ask(QueueStanding::all), counts, ServerCollector.Standing.of(role)));
  }
}
