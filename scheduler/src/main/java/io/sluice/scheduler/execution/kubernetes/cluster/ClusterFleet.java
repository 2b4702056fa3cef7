// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.cluster;

import io.agroal.api.AgroalDataSource;
import io.sluice.admission.CapacityProvider;
import io.sluice.manifests.Configuration;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.scheduler.execution.capacity.FleetView;
import io.sluice.scheduler.execution.capacity.InitialFleet;
import io.sluice.scheduler.execution.capacity.VirtualCapacity;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetStandings;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetWatch;
import io.sluice.scheduler.execution.kubernetes.provisioning.ClusterCapacity;
import io.sluice.scheduler.lifecycle.LeaderPart;
import io.sluice.scheduler.lifecycle.Lease;
import io.sluice.scheduler.lifecycle.Part;
import io.sluice.scheduler.lifecycle.StartOrder;
import io.sluice.scheduler.store.cluster.ProviderRows;
import io.sluice.scheduler.store.cluster.ProvisionedSliceRows;
import io.sluice.scheduler.store.input.InputWriter;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Starts the watch of the clusters' nodes and the capacity of their autoscalers. It does nothing if
 * a file defines the fleet.
 */
@Singleton
final class ClusterFleet implements Part, LeaderPart {
  private final AgroalDataSource database;
  private final FleetView view;
  private final Fleet given;
  private final VirtualCapacity virtual;
  private final @Nullable FleetWatch nodes;
  private final @Nullable ClusterCapacity capacity;

  ClusterFleet(
      ConfiguredClusters configured,
      Configuration configuration,
      Fleet given,
      FleetView view,
      VirtualCapacity virtual,
      AgroalDataSource database) {
    this.database = database;
    this.view = view;
    this.given = given;
    this.virtual = virtual;
    Clusters clusters = configured.ofFleet();
    this.nodes = clusters == null ? null : nodes(clusters, configuration);
    this.capacity = clusters == null || nodes == null ? null : capacity(clusters, nodes);
  }

  private FleetWatch nodes(Clusters clusters, Configuration configuration) {
    Clock clock = Clock.systemUTC();
    return new FleetWatch(
        clusters.nodes(configuration.catalogue(), clock)::all,
        given,
        view,
        new ProviderRows(database),
        clock);
  }

  private ClusterCapacity capacity(Clusters clusters, FleetWatch watch) {
    return new ClusterCapacity(
        clusters::callingDoors,
        view,
        slice -> watch.isWell(slice.name()) && !virtual.isTakenAway(slice),
        new ProvisionedSliceRows(database),
        Clock.systemUTC());
  }

  @Override
  public StartOrder place() {
    return StartOrder.CLUSTER_FLEET;
  }

  @Override
  public void start() {
    if (nodes != null) {
      nodes.start();
    }
    if (capacity != null) {
      capacity.start();
    }
  }

  @Override
  public void beginLeading(Lease lease) {
    if (nodes != null) {
      nodes.beginLeading(lease);
    }
    if (capacity != null) {
      capacity.beginLeading(lease);
    }
  }

  @Override
  public void endLeading() {
    if (nodes != null) {
      nodes.endLeading();
    }
    if (capacity != null) {
      capacity.endLeading();
    }
  }

  @Override
  public void close() {
    try {
      if (capacity != null) {
        capacity.close();
      }
    } finally {
      if (nodes != null) {
        nodes.close();
      }
    }
  }

  @Produces
  @Singleton
  FleetStandings standings() {
    return new FleetStandings(nodes);
  }

  /** Returns the provider for the engine. */
  @Produces
  @Singleton
  CapacityProvider provider() {
    return capacity == null ? virtual : capacity;
  }

  @Produces
  @Singleton
  InitialFleet initialFleet() {
    return new InitialFleet(view, this::wanted, new InputWriter(database));
  }

  /**
   * Returns the fleet at the start of a leadership. Nodes may not be listed by then, so the
   * previous leader's fleet stays. Without one, no cluster counts as reached.
   */
  private Fleet wanted(Fleet known) {
    if (nodes == null) {
      return given;
    }
    return known.equals(Fleet.EMPTY) ? given.unreached(nodes.clusters()) : known;
  }
}
