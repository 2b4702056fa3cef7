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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The slices of a fleet, the slices that can be formed from them, and the pools that they serve,
 * regardless of use. Immutable; built for one fleet and its flavors.
 */
final class FleetSlices {
  private final SliceForms forms;
  private final SortedMap<String, Entry> entries = new TreeMap<>();
  private final SortedMap<String, List<String>> flavorsOfSlice = new TreeMap<>();
  private final PoolIndex pools;
  private final SortedSet<String> missingHosts;

  /** Builds the slices of a fleet, offered by the flavors whose node labels they carry. */
  FleetSlices(Fleet fleet, Collection<ResourceFlavor> offering) {
    forms = new SliceForms(fleet);
    missingHosts = fleet.missingHosts();
    SortedMap<String, Integer> ranks = SliceName.ranks(fleet);
    TreeMap<String, Boxes> boxes = new TreeMap<>();
    for (Slice slice : forms.slices().values()) {
      int rank = ranks.getOrDefault(slice.name(), 0);
      // Slices with equal divisions share their boxes, because a choice inspects all of them.
      String kind = slice.topology() + " of " + slice.forming().parts();
      Boxes its = boxes.computeIfAbsent(kind, absent -> Boxes.of(slice));
      entries.put(slice.name(), new Entry(entries.size(), rank, slice, its));
    }
    pools = new PoolIndex(fleet, offering, List.copyOf(entries.values()));
    forms.slices().forEach((name, slice) -> flavorsOfSlice.put(name, pools.flavorsFor(slice)));
  }

  /** Returns the number of slices that the fleet names. */
  int size() {
    return entries.size();
  }

  /** Returns the slices that the fleet names, by name. */
  SortedMap<String, Slice> all() {
    return forms.slices();
  }

  /** Returns a slice of the fleet or a formed slice; null if the fleet cannot make it. */
  @Nullable Slice find(String slice) {
    return forms.find(slice);
  }

  /** Returns whether the fleet names the slice, so that it is not a formed one. */
  boolean isOfFleet(String slice) {
    return entries.containsKey(slice);
  }

  /** Returns whether the fleet names the slice and has all of its hosts. */
  boolean isWhole(String slice) {
    Slice known = forms.slices().get(slice);
    return known != null
        && (missingHosts.isEmpty()
            || known.hosts().stream().noneMatch(host -> missingHosts.contains(host)));
  }

  /** Returns the slices of the fleet that a slice uses, wholly or in part. */
  List<String> membersOf(String slice) {
    return SliceName.parse(slice).members().stream()
        .filter(member -> entries.containsKey(member))
        .toList();
  }

  /** Returns the slices of the fleet that some slices use, by name. */
  SortedSet<String> membersOf(List<String> slices) {
    TreeSet<String> members = new TreeSet<>();
    slices.forEach(slice -> members.addAll(membersOf(slice)));
    return members;
  }

  /** Returns the hosts that a slice uses. */
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

  /** Returns all hosts of the slice if the name does not determine a known box. */
  private static long hosts(Boxes boxes, SliceName name) {
    int level = name.topology() == null ? -1 : boxes.level(name.topology());
    boolean known = level >= 0 && !name.isJoined() && name.number() < boxes.count(level);
    return known ? boxes.hosts(level, name.number()) : boxes.all();
  }

  /** Returns the names of the slices of the fleet that belong to a pool unchanged, in order. */
  List<String> of(SlicePool pool) {
    return sources(pool).seats().stream()
        .filter(Seat::whole)
        .map(seat -> seat.entry().slice().name())
        .toList();
  }

  PoolSources sources(SlicePool pool) {
    return pools.sources(pool);
  }

  /** Returns the requirements of a pool that hosts of matching slices do not meet. */
  Refusals refusals(SlicePool pool) {
    return pools.refusals(pool);
  }

  /** Returns the flavors that offer a slice, or may offer a slice that shares hosts with it. */
  List<String> flavorsOf(String slice) {
    List<String> known = flavorsOfSlice.get(slice);
    if (known != null) {
      return known;
    }
    TreeSet<String> found = new TreeSet<>();
    membersOf(slice).forEach(member -> found.addAll(flavorsOf(member)));
    return List.copyOf(found);
  }

  /** Returns whether the flavor of a pool offers a slice and all of its hosts are suitable. */
  boolean serves(String slice, SlicePool pool) {
    PoolSources sources = sources(pool);
    return extents(slice).stream()
        .allMatch(
            one ->
                one.number() >= 0
                    && sources.names().contains(one.slice())
                    && (one.hosts() & ~sources.eligible(one.number())) == 0);
  }

  /** Returns a predicate for slices that share hosts with a possible slice of the pool. */
  Predicate<String> sharingHosts(SlicePool pool) {
    PoolSources sources = sources(pool);
    return slice -> {
      for (Occupants.Extent one : extents(slice)) {
        if (one.number() >= 0
            && sources.names().contains(one.slice())
            && (sources.partly().isEmpty()
                || (sources.eligible(one.number()) & one.hosts()) != 0)) {
          return true;
        }
      }
      return false;
    };
  }
}
