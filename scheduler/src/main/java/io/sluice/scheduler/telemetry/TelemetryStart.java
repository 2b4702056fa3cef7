// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.loop.ServerRole;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Has {@code /q/metrics} answer with our metrics too, beside those of the process. */
@Singleton
@SuppressWarnings("deprecation") // The registry that Quarkus answers with is this one.
class TelemetryStart {
  void start(
      @Observes StartupEvent event,
      PrometheusMeterRegistry registry,
      CommittedView view,
      DecisionCounts counts,
      ServerRole role) {
    registry
        .getPrometheusRegistry()
        .register(
            new ServerCollector(
                () -> view.ask(QueueStanding::all), counts, ServerCollector.Standing.of(role)));
  }
}
