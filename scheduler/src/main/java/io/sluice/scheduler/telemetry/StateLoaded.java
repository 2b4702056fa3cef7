// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.sluice.scheduler.loop.ServerRole;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;
import org.eclipse.microprofile.health.Startup;

/**
 * Readiness: up while the state is loaded and this server leads or follows. A follower is ready
 * too: it answers reads from its view and accepts submissions.
 */
@Readiness
@Startup
@Singleton
class StateLoaded implements HealthCheck {
  private final ServerRole role;

  StateLoaded(ServerRole role) {
    this.role = role;
  }

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("state loaded").status(role.isRunning()).build();
  }
}
