// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.ResourceFlavor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which slices there are, which attempt holds each, and which are claimed. A slice has at most one
 * holder; it may be claimed while its holder drains. A slice that left the fleet while it was held
 * stays here until it is released.
 */
public final class SliceTable {
  private final SortedMap<String, Slice> slices = new TreeMap<>();
  private final SortedMap<String, AttemptKey> holders = new TreeMap<>();
  private final SortedMap<String, IndexKey> claims = new TreeMap<>();
  private final SortedMap<SlicePool, List<String>> pools = new TreeMap<>();
  private final SortedMap<String, List<String>> flavorsOfSlice = new TreeMap<>();
  private final SliceStandings standings = new SliceStandings();
  private final SortedMap<String, Boolean> supposed = new TreeMap<>();

  /** Makes the slices those of the fleet, offered by the flavors whose node labels they carry. */
  public void setFleet(Fleet fleet, Collection<ResourceFlavor> flavors) {
    slices.clear();
    pools.clear();
    flavorsOfSlice.clear();
    for (Slice slice : fleet.slices()) {
      slices.put(slice.name(), slice);
      List<String> offering = new ArrayList<>();
      for (ResourceFlavor flavor : flavors) {
        if (slice.labels().containsAll(flavor.nodeLabels())) {
          String name = flavor.meta().name();
          offering.add(name);
          SlicePool pool =
              new SlicePool(name, slice.acceleratorType(), slice.topology(), slice.hosts().size());
          pools.computeIfAbsent(pool, absent -> new ArrayList<>()).add(slice.name());
        }
      }
      flavorsOfSlice.put(slice.name(), offering);
    }
    pools.values().forEach(Collections::sort);
  }

  /** Which slices are not simply there. */
  public SliceStandings standings() {
    return standings;
  }

  public Collection<Slice> all() {
    return Collections.unmodifiableCollection(slices.values());
  }

  /** Those whose names come after this one, in the order of their names; empty: from the first. */
  public Collection<Slice> after(String name) {
    return Collections.unmodifiableCollection(slices.tailMap(name + '\0').values());
  }

  /** How many of them some attempt holds. */
  public int held() {
    return holders.size();
  }

  /** Null if there is none of that name in the fleet. */
  public @Nullable Slice find(String slice) {
    return slices.get(slice);
  }

  /** Names of all slices of a pool, in order. */
  public List<String> of(SlicePool pool) {
    return pools.getOrDefault(pool, List.of());
  }

  /** The flavors that offer a slice. */
  public List<String> flavorsOf(String slice) {
    return flavorsOfSlice.getOrDefault(slice, List.of());
  }

  public @Nullable AttemptKey holder(String slice) {
    return holders.get(slice);
  }

  public @Nullable IndexKey claimant(String slice) {
    return claims.get(slice);
  }

  /** Whether the index could be given the slice now. */
  public boolean availableTo(String slice, IndexKey index) {
    IndexKey claimant = claims.get(slice);
    return !holders.containsKey(slice)
        && (claimant == null || claimant.equals(index))
        && standings.readyFor(slice, index.job());
  }

  /** Slices of a pool that anybody could be given now, in the order of their names. */
  public List<String> free(SlicePool pool, int most) {
    return free(pool, most, null);
  }

  /**
   * Slices of a pool that a job could be given now: ready, neither held nor claimed, and kept for
   * nobody else. Those that are kept for the job come first, then the order is that of the names.
   */
  public List<String> free(SlicePool pool, int most, @Nullable JobId job) {
    List<String> free = new ArrayList<>();
    if (job != null && !standings.keepers().isEmpty()) {
      for (String slice : of(pool)) {
        SliceStanding standing = standings.find(slice);
        boolean own =
            standing != null && standing.keptFor() != null && standings.readyFor(slice, job);
        if (own && free.size() < most && isOpen(slice)) {
          free.add(slice);
        }
      }
    }
    for (String slice : of(pool)) {
      if (free.size() == most) {
        break;
      }
      if (isOpen(slice) && standings.readyFor(slice, null)) {
        free.add(slice);
      }
    }
    return free;
  }

  private boolean isOpen(String slice) {
    return !isHeld(slice) && !claims.containsKey(slice);
  }

  private boolean isHeld(String slice) {
    Boolean otherwise = supposed.isEmpty() ? null : supposed.get(slice);
    return otherwise == null ? holders.containsKey(slice) : otherwise;
  }

  /**
   * Has slices count as held, or as not held, where free ones are looked for; nothing else changes.
   *
   * @return what they counted as before, to be put back by {@link #supposeAgain}
   */
  public SortedMap<String, Boolean> suppose(List<String> names, boolean held) {
    SortedMap<String, Boolean> before = new TreeMap<>(supposed);
    names.forEach(slice -> supposed.put(slice, held));
    return before;
  }

  /** Goes back to what was supposed before. */
  public void supposeAgain(SortedMap<String, Boolean> before) {
    supposed.clear();
    supposed.putAll(before);
  }

  /** How many slices of a pool are there, whoever uses them. */
  public int presentOf(SlicePool pool) {
    int present = 0;
    for (String slice : of(pool)) {
      present += standings.condition(slice) == SliceCondition.ABSENT ? 0 : 1;
    }
    return present;
  }

  public boolean isIn(String slice, SlicePool pool) {
    return Collections.binarySearch(of(pool), slice) >= 0;
  }

  /**
   * Gives slices to an attempt, whose own claims on them end.
   *
   * @throws IllegalStateException if one is held (P2), or claimed by another
   */
  public void hold(List<String> names, AttemptKey attempt) {
    for (String slice : names) {
      if (!availableTo(slice, attempt.indexKey())) {
        throw new IllegalStateException(
            "slice "
                + slice
                + " cannot be given to "
                + attempt
                + ": held by "
                + holders.get(slice)
                + ", claimed by "
                + claims.get(slice));
      }
    }
    for (String slice : names) {
      holders.put(slice, attempt);
      claims.remove(slice);
      standings.clear(slice);
    }
  }

  /** Takes slices back from the attempt that holds them. */
  public void release(List<String> names, AttemptKey attempt) {
    for (String slice : names) {
      if (!holders.remove(slice, attempt)) {
        throw new IllegalStateException("slice " + slice + " is not held by " + attempt);
      }
    }
  }

  /**
   * Claims slices for an index, held ones among them.
   *
   * @throws IllegalStateException if one is claimed already
   */
  public void claim(List<String> names, IndexKey index) {
    for (String slice : names) {
      IndexKey other = claims.putIfAbsent(slice, index);
      if (other != null) {
        throw new IllegalStateException("slice " + slice + " is claimed by " + other);
      }
    }
  }

  /** Ends the claims of an index. */
  public void unclaim(List<String> names, IndexKey index) {
    for (String slice : names) {
      claims.remove(slice, index);
    }
  }

  /** Names of slices that are held or claimed though the fleet does not have them any more. */
  public List<String> retired() {
    TreeSet<String> retired = new TreeSet<>(holders.keySet());
    retired.addAll(claims.keySet());
    retired.removeAll(slices.keySet());
    return List.copyOf(retired);
  }
}
