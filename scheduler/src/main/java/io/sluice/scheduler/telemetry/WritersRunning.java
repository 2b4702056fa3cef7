// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.telemetry;

import io.sluice.scheduler.execution.ReportWriter;
import io.sluice.scheduler.submission.SubmissionWriter;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Health: up while the threads run that store reports of executors and submitted jobs. */
@Readiness
@Singleton
class WritersRunning implements HealthCheck {
  private final ReportWriter reports;
  private final SubmissionWriter submissions;

  WritersRunning(ReportWriter reports, SubmissionWriter submissions) {
    this.reports = reports;
    this.submissions = submissions;
  }

  @Override
  public HealthCheckResponse call() {
    return HealthCheckResponse.named("writers running")
        .status(reports.isRunning() && submissions.isRunning())
        .build();
  }
}
