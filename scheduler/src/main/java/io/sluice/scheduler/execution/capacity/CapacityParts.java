// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.capacity;

import io.agroal.api.AgroalDataSource;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.scheduler.config.FaultsFile;
import io.sluice.scheduler.config.ServerSettings;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.lifecycle.LeaderPart;
import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.store.cluster.ProviderRows;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.time.Clock;

/** Produces the virtual provider and its fault script. */
final class CapacityParts {
  /** Not a bean of type CapacityProvider, because the engine may use another provider. */
  @Produces
  @Singleton
  @Typed({VirtualCapacity.class, Part.class, LeaderPart.class})
  VirtualCapacity capacity(FleetView view, AgroalDataSource database, Executor executor) {
    return new VirtualCapacity(
        view, new ProviderRows(database), executor::hostsFailed, Clock.systemUTC());
  }

  @Produces
  @Singleton
  FaultScript faults(VirtualCapacity capacity, ServerSettings settings, Fleet fleet) {
    return new FaultScript(
        capacity, settings.faults().map(file -> FaultsFile.read(file, fleet)).orElse(null), fleet);
  }
}
