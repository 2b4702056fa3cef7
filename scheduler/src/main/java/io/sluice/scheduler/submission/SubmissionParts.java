// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.agroal.api.AgroalDataSource;
import io.quarkus.agroal.DataSource;
import io.sluice.manifests.Configuration;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.lifecycle.ServerEnd;
import io.sluice.scheduler.notification.WakeUps;
import io.sluice.scheduler.store.input.InputRows;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Makes the check and the writers of submitted jobs. */
final class SubmissionParts {
  @Produces
  @Singleton
  JobCheck jobCheck(Fleet fleet, Configuration configuration, ServerSettings settings) {
    return new JobCheck(
        () -> fleet, configuration.resources(), settings.runContainersAsProcesses());
  }

  @Produces
  @Singleton
  SubmissionWriter submissions(
      @DataSource("writers") AgroalDataSource database,
      JobCheck jobCheck,
      WakeUps wakeUps,
      ServerEnd end) {
    Runnable wake = () -> wakeUps.announce(InputRows.CHANNEL);
    return new SubmissionWriter(
        () -> new SubmissionTransaction(database, jobCheck, wake), end::because);
  }
}
