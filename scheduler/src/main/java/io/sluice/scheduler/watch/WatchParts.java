// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.watch;

import io.agroal.api.AgroalDataSource;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.store.journal.EventRows;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Makes the hub of events. */
final class WatchParts {
  private final AgroalDataSource database;

  WatchParts(AgroalDataSource database) {
    this.database = database;
  }

  @Produces
  @Singleton
  EventHub hub(CommittedView view) {
    return new EventHub(EventSource.of(new EventRows(database)), view);
  }
}
