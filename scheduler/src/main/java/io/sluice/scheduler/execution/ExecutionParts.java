// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.agroal.api.AgroalDataSource;
import io.quarkus.agroal.DataSource;
import io.sluice.scheduler.lifecycle.ServerEnd;
import io.sluice.scheduler.notification.WakeUps;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.store.input.InputWriter;
import io.sluice.scheduler.store.input.SetAsideCounts;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Produces the {@link ReportWriter} that all executors share. */
final class ExecutionParts {
  @Produces
  @Singleton
  ReportWriter reports(
      @DataSource("writers") AgroalDataSource database,
      WakeUps wakeUps,
      SetAsideCounts counts,
      ServerEnd end) {
    InputWriter inputs = new InputWriter(database, () -> wakeUps.announce(InputRows.CHANNEL));
    return new ReportWriter(inputs, counts, end::because);
  }
}
