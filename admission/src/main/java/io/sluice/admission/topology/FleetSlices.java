// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.admission.topology.PoolSources.Entry;
import io.sluice.admission.topology.PoolSources.Seat;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.quota.ResourceFlavor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The slices of a fleet, those that can be formed of them, and the pools that they serve, whoever
 * uses them. It is made for one fleet and its flavors, and never changes.
 */
final class FleetSlices {
  private final SliceForms forms;
  private final SortedMap<String, Entry> entries = new TreeMap<>();
  private final SortedMap<String, List<String>> flavorsOfSlice = new TreeMap<>();
  private final PoolIndex pools;
  private final SortedSet<String> missingHosts;

  /** The slices of a fleet, offered by the flavors whose node labels they carry. */
  FleetSlices(Fleet fleet, Collection<ResourceFlavor> offering) {
    forms = new SliceForms(fleet);
    missingHosts = fleet.missingHosts();
    SortedMap<String, Integer> ranks = SliceName.ranks(fleet);
    TreeMap<String, Boxes> boxes = new TreeMap<>();
    for (Slice slice : forms.slices().values()) {
      int rank = ranks.getOrDefault(slice.name(), 0);
      // Slices that are cut alike share their boxes, since all of them are looked at for a choice.
      String kind = slice.topology() + " of " + slice.forming().parts();
      Boxes its = boxes.computeIfAbsent(kind, absent -> Boxes.of(slice));
      entries.put(slice.name(), new Entry(entries.size(), rank, slice, its));
    }
    pools = new PoolIndex(fleet, offering, List.copyOf(entries.values()));
    forms.slices().forEach((name, slice) -> flavorsOfSlice.put(name, pools.flavorsFor(slice)));
  }

  /** How many slices the fleet names. */
  int size() {
    return entries.size();
  }

  /** The slices that the fleet names, by name. */
  SortedMap<String, Slice> all() {
    return forms.slices();
  }

  /** Null if the fleet has none of that name and can form none. */
  @Nullable Slice find(String slice) {
    return forms.find(slice);
  }

  /** Whether the fleet names the slice, and it is none that is formed. */
  boolean isOfFleet(String slice) {
    return entries.containsKey(slice);
  }

  /** Whether the fleet has all hosts of a slice that it names. */
  boolean isWhole(String slice) {
    Slice known = forms.slices().get(slice);
    return known != null
        && (missingHosts.isEmpty()
            || known.hosts().stream().noneMatch(host -> missingHosts.contains(host)));
  }

  /** The slices of the fleet that a slice takes, wholly or in part, that the fleet has. */
  List<String> membersOf(String slice) {
    return SliceName.parse(slice).members().stream()
        .filter(member -> entries.containsKey(member))
        .toList();
  }

  /** The slices of the fleet that some slices take, by name. */
  SortedSet<String> membersOf(List<String> slices) {
    TreeSet<String> members = new TreeSet<>();
    slices.forEach(slice -> members.addAll(membersOf(slice)));
    return members;
  }

  /** The hosts that a slice takes. */
  List<Occupants.Extent> extents(String name) {
    if (entries.containsKey(name)) {
      Entry entry = entries.get(name);
      return List.of(new Occupants.Extent(name, entry.number(), entry.boxes().all()));
    }
    SliceName parsed = SliceName.parse(name);
    List<Occupants.Extent> extents = new ArrayList<>();
    for (String member : parsed.members()) {
      Entry entry = entries.get(member);
      extents.add(
          entry == null
              ? new Occupants.Extent(member, -1, -1L)
              : new Occupants.Extent(member, entry.number(), hosts(entry.boxes(), parsed)));
    }
    return extents;
  }

  /** All of the slice, if it is not known which of its hosts are meant. */
  private static long hosts(Boxes boxes, SliceName name) {
    int level = name.topology() == null ? -1 : boxes.level(name.topology());
    boolean known = level >= 0 && !name.isJoined() && name.number() < boxes.count(level);
    return known ? boxes.hosts(level, name.number()) : boxes.all();
  }

  /** Names of the slices of the fleet that are of a pool as they are, in order. */
  List<String> of(SlicePool pool) {
    return sources(pool).seats().stream()
        .filter(Seat::whole)
        .map(seat -> seat.entry().slice().name())
        .toList();
  }

  PoolSources sources(SlicePool pool) {
    return pools.sources(pool);
  }

  /** What the hosts of slices of a pool's kind do not meet of its requirements. */
  Refusals refusals(SlicePool pool) {
    return pools.refusals(pool);
  }

  /** The flavors that offer a slice, or may offer what shares hosts with it. */
  List<String> flavorsOf(String slice) {
    List<String> known = flavorsOfSlice.get(slice);
    if (known != null) {
      return known;
    }
    TreeSet<String> found = new TreeSet<>();
    membersOf(slice).forEach(member -> found.addAll(flavorsOf(member)));
    return List.copyOf(found);
  }

  /** Whether the flavor of a pool offers a slice, and all of its hosts meet the requirements. */
  boolean serves(String slice, SlicePool pool) {
    PoolSources sources = sources(pool);
    return extents(slice).stream()
        .allMatch(
            one ->
                one.number() >= 0
                    && sources.names().contains(one.slice())
                    && (one.hosts() & ~sources.eligible(one.number())) == 0);
  }

  /** Whether hosts of a slice could be those of one of the pool. */
  boolean sharesHosts(String slice, SlicePool pool) {
    PoolSources sources = sources(pool);
    return extents(slice).stream()
        .filter(one -> one.number() >= 0 && sources.names().contains(one.slice()))
        .anyMatch(
            one ->
                sources.partly().isEmpty() || (sources.eligible(one.number()) & one.hosts()) != 0);
  }
}
