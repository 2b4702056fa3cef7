// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.admission.topology.PoolSources.Entry;
import io.sluice.computeclasses.NodeLabels;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Forming;
import io.sluice.queuemodel.fleet.Host;
import io.sluice.queuemodel.fleet.NodeClusters;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SoughtSlices;
import io.sluice.queuemodel.quota.ResourceFlavor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Cache of the sources of pools: the slices of a fleet from which each pool's slices are made. It
 * depends only on the fleet and the flavors. The first request for a pool scans all slices once;
 * hosts are inspected only if the pool's pods have requirements or a host of the fleet has a taint.
 */
final class PoolIndex {
  private static final int POOLS_MAX = 10_000;

  private final SortedMap<String, ResourceFlavor> flavors = new TreeMap<>();
  private final SortedMap<SlicePool, PoolSources> pools = new TreeMap<>();
  private final SortedMap<SlicePool, Refusals> refusals = new TreeMap<>();
  private final SortedMap<String, Host> hosts = new TreeMap<>();
  private final Collection<Entry> entries;
  private final boolean anyTaints;

  /** Creates an index over slices of a fleet. */
  PoolIndex(Fleet fleet, Collection<ResourceFlavor> offering, Collection<Entry> entries) {
    this.entries = entries;
    offering.forEach(flavor -> flavors.put(flavor.meta().name(), flavor));
    boolean tainted = false;
    for (Host host : fleet.hosts()) {
      hosts.put(host.name(), host);
      tainted |= host.taints().stream().anyMatch(HostRequirements::mayRepel);
    }
    this.anyTaints = tainted;
  }

  /** Returns the flavors that offer a slice, or may offer slices formed from it. */
  List<String> flavorsFor(Slice slice) {
    boolean forming = !slice.forming().equals(Forming.NONE);
    List<String> found = new ArrayList<>();
    for (var flavor : flavors.entrySet()) {
      TreeMap<String, String> wanted = new TreeMap<>(flavor.getValue().nodeLabels().entries());
      if (forming) {
        wanted.remove(NodeLabels.TPU_TOPOLOGY);
      }
      if (NodeClusters.offers(Labels.of(wanted), slice.labels())) {
        found.add(flavor.getKey());
      }
    }
    return List.copyOf(found);
  }

  /** Returns the slices from which those of a pool are made. */
  PoolSources sources(SlicePool pool) {
    PoolSources known = pools.get(pool);
    if (known == null) {
      if (pools.size() >= POOLS_MAX) {
        pools.clear();
      }
      ResourceFlavor flavor = flavors.get(pool.flavor());
      known =
          flavor == null
              ? PoolSources.NONE
              : PoolSources.of(pool, flavor.nodeLabels(), entries, this::eligible);
      pools.put(pool, known);
    }
    return known;
  }

  private long eligible(Entry entry, SlicePool pool, boolean joined) {
    if (servesAnyHost(pool)) {
      return -1L;
    }
    List<String> names = entry.slice().hosts();
    boolean divisible = entry.boxes().top() > 0;
    long eligible = 0;
    for (int worker = 0; worker < names.size(); worker++) {
      boolean meets = unmetBy(names.get(worker), entry.slice(), pool, joined) == null;
      if (!meets && !divisible) {
        return 0;
      }
      eligible |= meets && divisible ? 1L << worker : 0;
    }
    return divisible ? eligible : -1L;
  }

  /**
   * Returns the first requirement that a host of a slice does not meet; null if it meets all. A
   * host carries the labels of its slice; for formed slices, the topology label is that of the
   * pool.
   */
  private @Nullable String unmetBy(String name, Slice slice, SlicePool pool, boolean joined) {
    Host host = hosts.get(name);
    Labels labels = SliceForms.labels(slice, pool.topology(), joined);
    if (host != null) {
      TreeMap<String, String> all = new TreeMap<>(labels.entries());
      host.labels().entries().forEach(all::put);
      all.computeIfPresent(NodeLabels.TPU_TOPOLOGY, (key, old) -> pool.topology().toString());
      labels = new Labels(all);
    }
    ResourceFlavor flavor = flavors.get(pool.flavor());
    return pool.requirements()
        .unmetBy(
            labels,
            !SoughtSlices.isPotential(slice),
            host == null ? List.of() : host.taints(),
            flavor == null ? List.of() : flavor.tolerations());
  }

  /**
   * Returns the number of a pool's slices on any hosts, with the requirements that some hosts do
   * not meet; {@link Refusals#NONE} if no host needs inspection.
   */
  Refusals refusals(SlicePool pool) {
    ResourceFlavor flavor = flavors.get(pool.flavor());
    if (flavor == null || servesAnyHost(pool)) {
      return Refusals.NONE;
    }
    Refusals known = refusals.get(pool);
    if (known == null) {
      if (refusals.size() >= POOLS_MAX) {
        refusals.clear();
      }
      known = look(pool, flavor);
      refusals.put(pool, known);
    }
    return known;
  }

  private boolean servesAnyHost(SlicePool pool) {
    return !anyTaints && pool.requirements().equals(HostRequirements.NONE);
  }

  private Refusals look(SlicePool pool, ResourceFlavor flavor) {
    PoolSources all = PoolSources.of(pool, flavor.nodeLabels(), entries, (entry, of, joined) -> -1);
    TreeSet<String> unmet = new TreeSet<>();
    for (Entry entry : all.entries()) {
      boolean joined = entry.boxes().level(pool.topology()) < 0;
      for (String host : entry.slice().hosts()) {
        String requirement = unmetBy(host, entry.slice(), pool, joined);
        if (requirement != null) {
          unmet.add(requirement);
        }
      }
    }
    return new Refusals(all.most(), unmet.stream().limit(Refusals.UNMET_MAX).toList());
  }
}
