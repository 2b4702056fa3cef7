// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler;

import io.agroal.api.AgroalDataSource;
import io.quarkus.agroal.DataSource;
import io.sluice.scheduler.loop.ServerRole;
import io.sluice.scheduler.notification.NotificationListener;
import io.sluice.scheduler.notification.WakeUps;
import io.sluice.scheduler.pipeline.PipelineRunner;
import io.sluice.scheduler.pipeline.run.RunRows;
import io.sluice.scheduler.store.input.InputRows;
import io.sluice.scheduler.store.leadership.LeaderRow;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Map;

/** Makes the wake-ups, and maps each notification channel to the part that it wakes. */
final class NotificationParts {
  @Produces
  @Singleton
  WakeUps wakeUps(@DataSource("writers") AgroalDataSource database) {
    return new WakeUps(database);
  }

  @Produces
  @Singleton
  NotificationListener listener(
      AgroalDataSource database, WakeUps own, ServerRole role, PipelineRunner runner) {
    own.wakeHere(Map.of(InputRows.CHANNEL, role::wakeLoop, LeaderRow.CHANNEL, runner::wake));
    return new NotificationListener(
        database,
        own,
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
