// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.ResourceFlavor;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which slices there are, which attempt holds each, and which are claimed. A host has at most one
 * holder, and at most one claimant; it may be claimed while its holder drains. What a slice that
 * left the fleet while it was held takes stays known until it is released.
 *
 * <p>A slice is given by name, that of one of the fleet or of one that is formed of them ({@link
 * SliceForms}). Its condition is that of the slices that it is formed of.
 */
public final class SliceTable {
  private final SliceStandings standings = new SliceStandings();
  private final SupposedHosts supposed = new SupposedHosts();
  private final Occupants<AttemptKey> holders = new Occupants<>(this::extents);
  private final Occupants<IndexKey> claims = new Occupants<>(this::extents);
  private FleetSlices fleet = new FleetSlices(Fleet.EMPTY, List.of());
  private boolean restoring;

  /** Makes the slices those of the fleet, offered by the flavors whose node labels they carry. */
  public void setFleet(Fleet present, Collection<ResourceFlavor> offering) {
    fleet = new FleetSlices(present, offering);
    holders.renumber(fleet.size());
    claims.renumber(fleet.size());
  }

  /** What is restored was decided before, perhaps with another fleet, and is not judged again. */
  public void setRestoring(boolean now) {
    restoring = now;
  }

  /** The slices of the present fleet, whoever has them. */
  FleetSlices fleet() {
    return fleet;
  }

  /** Which slices of the fleet are not simply there. */
  public SliceStandings standings() {
    return standings;
  }

  /** The slices of the fleet, by name. */
  public Collection<Slice> all() {
    return Collections.unmodifiableCollection(fleet.all().values());
  }

  /** Those whose names come after this one, in the order of their names; empty: from the first. */
  public Collection<Slice> after(String name) {
    return Collections.unmodifiableCollection(fleet.all().tailMap(name + '\0').values());
  }

  /** How many of them some attempt holds, wholly or in part. */
  public int held() {
    int held = 0;
    for (int number = 0; number < fleet.size(); number++) {
      held += holders.taken(number) == 0 ? 0 : 1;
    }
    return held;
  }

  /** Null if the fleet has none of that name and can form none. */
  public @Nullable Slice find(String slice) {
    return fleet.find(slice);
  }

  /** Whether the fleet names the slice, and it is none that is formed. */
  public boolean isOfFleet(String slice) {
    return fleet.isOfFleet(slice);
  }

  /** Whether the fleet has all hosts of a slice that it names. */
  public boolean isWhole(String slice) {
    return fleet.isWhole(slice);
  }

  /** The slices of the fleet that a slice takes, wholly or in part, that the fleet has. */
  public List<String> membersOf(String slice) {
    return fleet.membersOf(slice);
  }

  /** The slices of the fleet that some slices take, by name. */
  public SortedSet<String> membersOf(List<String> slices) {
    return fleet.membersOf(slices);
  }

  private List<Occupants.Extent> extents(String name) {
    return fleet.extents(name);
  }

  /** Names of the slices of the fleet that are of a pool as they are, in order. */
  public List<String> of(SlicePool pool) {
    return fleet.of(pool);
  }

  /** What the hosts of slices of a pool's kind do not meet of its requirements. */
  public Refusals refusals(SlicePool pool) {
    return fleet.refusals(pool);
  }

  /** Names of the slices of the fleet of which those of a pool are, in order. */
  public List<String> sourcesOf(SlicePool pool) {
    return List.copyOf(fleet.sources(pool).names());
  }

  /** The flavors that offer a slice, or may offer what shares hosts with it. */
  public List<String> flavorsOf(String slice) {
    return fleet.flavorsOf(slice);
  }

  /** Who holds the slice, or else the first who holds some of its hosts; null if nobody does. */
  public @Nullable AttemptKey holder(String slice) {
    AttemptKey own = holders.get(slice);
    List<AttemptKey> others = own == null ? holders.on(slice) : List.of(own);
    return others.isEmpty() ? null : others.get(0);
  }

  /** Everybody who holds some of a slice's hosts. */
  public List<AttemptKey> holders(String slice) {
    return holders.on(slice);
  }

  /** Names of the slices that are held and share hosts with a slice, in order. */
  public List<String> heldOn(String slice) {
    return holders.overlapping(slice);
  }

  /** Who claims the slice, or else the first who claims some of its hosts. */
  public @Nullable IndexKey claimant(String slice) {
    IndexKey own = claims.get(slice);
    List<IndexKey> others = own == null ? claims.on(slice) : List.of(own);
    return others.isEmpty() ? null : others.get(0);
  }

  /** Everybody who claims some of a slice's hosts. */
  public List<IndexKey> claimants(String slice) {
    return claims.on(slice);
  }

  /** Whether the index could be given the slice now. */
  public boolean availableTo(String slice, IndexKey index) {
    return holders.on(slice).isEmpty()
        && claims.on(slice).stream().allMatch(index::equals)
        && readyFor(slice, index.job());
  }

  /** Whether a job could be given the slice, as far as its providers are concerned. */
  public boolean readyFor(String slice, @Nullable JobId job) {
    return standings.none()
        || membersOf(slice).stream().allMatch(member -> standings.readyFor(member, job));
  }

  /** Of what is formed: absent if one of its slices is, else leaving if one is. */
  public SliceCondition condition(String slice) {
    SliceCondition worst = SliceCondition.READY;
    for (String member : membersOf(slice)) {
      SliceCondition its = standings.condition(member);
      if (its == SliceCondition.ABSENT || worst == SliceCondition.READY) {
        worst = its;
      }
    }
    return worst;
  }

  /** Slices of a pool that anybody could be given now; see the other. */
  public List<String> free(SlicePool pool, int most) {
    return free(pool, most, null);
  }

  /**
   * Slices of a pool that a job could be given now, all of them: ready, neither held nor claimed,
   * and kept for nobody else; as many as there are, if that is too few. Those that are kept for the
   * job come first, then what is free and not only supposed to be; which of them, {@link
   * SlicePacking} says.
   */
  public List<String> free(SlicePool pool, int most, @Nullable JobId job) {
    if (!standings.none() || !supposed.isEmpty()) {
      return new SliceOutlook(this, pool, job).choose(most);
    }
    return new FreeSlices(this, pool, job).choose(most);
  }

  /**
   * Has slices count as held where free ones are looked for; nothing else changes.
   *
   * @return takes that back; of several suppositions the last is taken back first
   */
  public Runnable supposeHeld(List<String> names) {
    return supposed.suppose(extents(names), true);
  }

  /** Has slices count as not held where free ones are looked for; see {@link #supposeHeld}. */
  public Runnable supposeOpen(List<String> names) {
    return supposed.suppose(extents(names), false);
  }

  private List<Occupants.Extent> extents(List<String> names) {
    return names.stream().flatMap(name -> extents(name).stream()).toList();
  }

  /**
   * Whether a job could be given just this slice now, if what is supposed held: see {@link #free}.
   */
  public boolean isOpen(String slice, @Nullable JobId job) {
    return find(slice) != null
        && readyFor(slice, job)
        && extents(slice).stream()
            .allMatch(one -> one.number() >= 0 && (taken(one.number()) & one.hosts()) == 0);
  }

  /** How many slices of a pool a job could be given at once now. */
  public int countFree(SlicePool pool, @Nullable JobId job) {
    return new FreeSlices(this, pool, job).count();
  }

  long taken(int number) {
    return held(number) | claims.taken(number);
  }

  /** Hosts of a slice of the fleet that are held, as far as is supposed. */
  long held(int number) {
    return supposed.held(number, holders.taken(number));
  }

  /** Hosts of a slice of the fleet that are held or claimed, whatever is supposed. */
  long reallyTaken(int number) {
    return holders.taken(number) | claims.taken(number);
  }

  long claimed(int number) {
    return claims.taken(number);
  }

  /** What could be given to a job if some were gone; it sees no later changes. */
  public SliceOutlook outlook(SlicePool pool, @Nullable JobId job) {
    return new SliceOutlook(this, pool, job);
  }

  /**
   * Whether a pool has enough free hosts for so many slices, wherever they stand: then, if the
   * slices cannot be formed, it is because they do not stand together.
   */
  public boolean scattered(SlicePool pool, int slices, @Nullable JobId job) {
    return new FreeSlices(this, pool, job).scattered(slices);
  }

  /** How many slices of a pool the fleet can make at once, if nobody uses any. */
  public int mostOf(SlicePool pool) {
    return fleet.sources(pool).most();
  }

  /** How many slices of a pool can be had of what is there, whoever uses it. */
  public int presentOf(SlicePool pool) {
    PoolSources sources = fleet.sources(pool);
    return new SlicePacking(
            sources,
            entry ->
                standings.condition(entry.slice().name()) == SliceCondition.ABSENT
                    ? 0
                    : entry.boxes().all() & sources.eligible(entry))
        .count();
  }

  /** Whether all slices of a pool are slices of the fleet as they are. */
  public boolean plain(SlicePool pool) {
    return fleet.sources(pool).plain();
  }

  /** Whether the flavor of a pool offers a slice, and all of its hosts meet the requirements. */
  public boolean serves(String slice, SlicePool pool) {
    return fleet.serves(slice, pool);
  }

  /** Whether hosts of a slice could be those of one of the pool. */
  public boolean sharesHosts(String slice, SlicePool pool) {
    return fleet.sharesHosts(slice, pool);
  }

  /**
   * Gives slices to an attempt, whose own claims on them end.
   *
   * @throws IllegalStateException if one is held (P2), or claimed by another
   */
  public void hold(List<String> names, AttemptKey attempt) {
    for (String slice : names) {
      boolean given = holders.get(slice) != null;
      if (given || (!restoring && !availableTo(slice, attempt.indexKey()))) {
        throw new IllegalStateException(
            "slice %s cannot be given to %s: held by %s, claimed by %s"
                .formatted(slice, attempt, holders.on(slice), claims.on(slice)));
      }
      holders.put(slice, attempt);
    }
    for (String slice : names) {
      for (String claimed : claims.overlapping(slice)) {
        claims.remove(claimed, attempt.indexKey());
      }
      membersOf(slice).forEach(standings::clear);
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
      List<IndexKey> others = claims.on(slice);
      if (claims.get(slice) != null || (!restoring && !others.isEmpty())) {
        throw new IllegalStateException("slice " + slice + " is claimed by " + others);
      }
      claims.put(slice, index);
    }
  }

  /** Ends the claims of an index. */
  public void unclaim(List<String> names, IndexKey index) {
    for (String slice : names) {
      claims.remove(slice, index);
    }
  }

  /** Names of slices that are held or claimed though the fleet can not make them any more. */
  public List<String> retired() {
    TreeSet<String> retired = new TreeSet<>(holders.all().keySet());
    retired.addAll(claims.all().keySet());
    retired.removeIf(name -> find(name) != null);
    return List.copyOf(retired);
  }
}
