// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.agroal.api.AgroalDataSource;
import io.sluice.scheduler.loop.NotificationListener;
import io.sluice.scheduler.loop.ServerRole;
import io.sluice.scheduler.pipeline.PipelineRunner;
import io.sluice.scheduler.pipeline.run.RunRows;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.store.leadership.LeaderRow;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Map;

/** Maps each notification channel of the database to the part that it wakes. */
final class NotificationParts {
  @Produces
  @Singleton
  NotificationListener listener(AgroalDataSource database, ServerRole role, PipelineRunner runner) {
    return new NotificationListener(
        database,
        Map.of(
            InputRows.CHANNEL,
            role::wakeLoop,
            LeaderRow.CHANNEL,
            () -> {
              role.wake();
              runner.wake();
            },
            RunRows.CHANNEL,
            runner::wake));
  }
}
