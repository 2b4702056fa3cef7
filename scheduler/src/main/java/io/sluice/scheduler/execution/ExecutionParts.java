// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import io.agroal.api.AgroalDataSource;
import io.sluice.scheduler.lifecycle.ServerEnd;
import io.sluice.scheduler.store.input.InputWriter;
import io.sluice.scheduler.store.input.SetAsideCounts;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Produces the {@link ReportWriter} that all executors share. */
final class ExecutionParts {
  @Produces
  @Singleton
  ReportWriter reports(AgroalDataSource database, SetAsideCounts counts, ServerEnd end) {
    return new ReportWriter(new InputWriter(database), counts, end::because);
  }
}
