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
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The slices with their holders and claimants. A host has at most one holder and at most one
 * claimant; it may be claimed while its holder drains. A held slice that left the fleet stays known
 * until it is released.
 *
 * <p>A slice is named: one of the fleet, or one formed from those ({@link SliceForms}). A formed
 * slice has the condition of the slices from which it is formed.
 */
public final class SliceTable {
  private final SliceStandings standings = new SliceStandings();
  private final SupposedHosts supposed = new SupposedHosts();
  private final SupposedHosts kept = new SupposedHosts();
  private final Occupants<AttemptKey> holders = new Occupants<>(this::extents);
  private final Occupants<IndexKey> claims = new Occupants<>(this::extents);
  private final SortedMap<AttemptKey, List<String>> vacating = new TreeMap<>();
  private FleetSlices fleet = new FleetSlices(Fleet.EMPTY, List.of());
  private boolean restoring;

  /** Replaces the fleet; its slices are offered by the flavors whose node labels they carry. */
  public void setFleet(Fleet present, Collection<ResourceFlavor> offering) {
    fleet = new FleetSlices(present, offering);
    holders.renumber(fleet.size());
    claims.renumber(fleet.size());
  }

  /** While restoring, conflicts are not checked: past decisions may belong to another fleet. */
  public void setRestoring(boolean now) {
    restoring = now;
  }

  /** Returns the slices of the current fleet, regardless of use. */
  FleetSlices fleet() {
    return fleet;
  }

  /** Returns the slices of the fleet that are not ready for all jobs. */
  public SliceStandings standings() {
    return standings;
  }

  /** Returns the slices of the fleet, by name. */
  public Collection<Slice> all() {
    return Collections.unmodifiableCollection(fleet.all().values());
  }

  /** Returns the slices with names after this one, by name; all for the empty name. */
  public Collection<Slice> after(String name) {
    return Collections.unmodifiableCollection(fleet.all().tailMap(name + '\0').values());
  }

  /** Returns the number of slices that attempts hold, wholly or in part. */
  public int held() {
    int held = 0;
    for (int number = 0; number < fleet.size(); number++) {
      held += holders.taken(number) == 0 ? 0 : 1;
    }
    return held;
  }

  /** Returns a slice of the fleet or a formed slice; null if the fleet cannot make it. */
  public @Nullable Slice find(String slice) {
    return fleet.find(slice);
  }

  /** Returns whether the fleet names the slice, so that it is not a formed one. */
  public boolean isOfFleet(String slice) {
    return fleet.isOfFleet(slice);
  }

  /** Returns whether the fleet names the slice and has all of its hosts. */
  public boolean isWhole(String slice) {
    return fleet.isWhole(slice);
  }

  /** Returns the slices of the fleet that a slice uses, wholly or in part. */
  public List<String> membersOf(String slice) {
    return fleet.membersOf(slice);
  }

  /** Returns the slices of the fleet that some slices use, by name. */
  public SortedSet<String> membersOf(List<String> slices) {
    return fleet.membersOf(slices);
  }

  private List<Occupants.Extent> extents(String name) {
    return fleet.extents(name);
  }

  /** Returns the names of the slices of the fleet that belong to a pool unchanged, in order. */
  public List<String> of(SlicePool pool) {
    return fleet.of(pool);
  }

  /** Returns the requirements of a pool that hosts of matching slices do not meet. */
  public Refusals refusals(SlicePool pool) {
    return fleet.refusals(pool);
  }

  /** Returns the names of the slices of the fleet from which a pool's are made, in order. */
  public List<String> sourcesOf(SlicePool pool) {
    return List.copyOf(fleet.sources(pool).names());
  }

  /** Returns the flavors that offer a slice, or may offer a slice that shares hosts with it. */
  public List<String> flavorsOf(String slice) {
    return fleet.flavorsOf(slice);
  }

  /** Returns the holder of a slice, else the first holder of some of its hosts; null if none. */
  public @Nullable AttemptKey holder(String slice) {
    AttemptKey own = holders.get(slice);
    List<AttemptKey> others = own == null ? holders.on(slice) : List.of(own);
    return others.isEmpty() ? null : others.get(0);
  }

  /** Returns the holders of a slice's hosts. */
  public List<AttemptKey> holders(String slice) {
    return holders.on(slice);
  }

  /** Returns the holders of hosts of a slice of the fleet. */
  List<AttemptKey> holders(int number) {
    return holders.on(number);
  }

  /** Returns the names of the held slices that share hosts with a slice, in order. */
  public List<String> heldOn(String slice) {
    return holders.overlapping(slice);
  }

  /**
   * Returns the claimant of a slice, else the first claimant of some of its hosts; null if none.
   */
  public @Nullable IndexKey claimant(String slice) {
    IndexKey own = claims.get(slice);
    List<IndexKey> others = own == null ? claims.on(slice) : List.of(own);
    return others.isEmpty() ? null : others.get(0);
  }

  /** Returns the claimants of a slice's hosts. */
  public List<IndexKey> claimants(String slice) {
    return claims.on(slice);
  }

  /** Returns whether any of some slices share hosts with any of others. */
  public boolean overlap(List<String> some, List<String> others) {
    List<Occupants.Extent> theirs = extents(others);
    return extents(some).stream().anyMatch(one -> theirs.stream().anyMatch(one::overlaps));
  }

  /** Returns whether the index could get the slice now. */
  public boolean availableTo(String slice, IndexKey index) {
    return holders.on(slice).isEmpty()
        && claims.on(slice).stream().allMatch(index::equals)
        && readyFor(slice, index.job());
  }

  /** Returns whether the slice is ready and not reserved for another job. */
  public boolean readyFor(String slice, @Nullable JobId job) {
    return standings.none()
        || membersOf(slice).stream().allMatch(member -> standings.readyFor(member, job));
  }

  /** Returns the condition of a slice; a formed one is absent, else leaving, if any member is. */
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

  /** Returns free slices of a pool that are not reserved for any job. */
  public List<String> free(SlicePool pool, int most) {
    return free(pool, most, null);
  }

  /**
   * Returns up to the given number of slices of a pool that a job could get at once: ready, neither
   * held nor claimed, and not reserved for another job. Slices reserved for the job come first,
   * then those that are actually free, then those supposed to be free. {@link SlicePacking} chooses
   * among them.
   */
  public List<String> free(SlicePool pool, int most, @Nullable JobId job) {
    if (!standings.none() || !supposed.isEmpty() || !kept.isEmpty()) {
      return new SliceOutlook(this, pool, job).choose(most);
    }
    return new FreeSlices(this, pool, job).choose(most);
  }

  /**
   * Supposes that slices are held; affects only the search for free slices.
   *
   * @return undoes the supposition; several must be undone in reverse order
   */
  public Runnable supposeHeld(List<String> names) {
    return supposed.suppose(extents(names), true);
  }

  /** Supposes that slices are not held, see {@link #supposeHeld}. */
  public Runnable supposeOpen(List<String> names) {
    return supposed.suppose(extents(names), false);
  }

  /**
   * Supposes that slices are kept for somebody else, as if they were claimed: they are not
   * available when their holders leave either.
   *
   * @return undoes the supposition; several must be undone in reverse order
   */
  public Runnable supposeKept(List<String> names) {
    return kept.suppose(extents(names), true);
  }

  private List<Occupants.Extent> extents(List<String> names) {
    return names.stream().flatMap(name -> extents(name).stream()).toList();
  }

  /**
   * Returns whether a job could get exactly this slice now, under the suppositions; see {@link
   * #free}.
   */
  public boolean isOpen(String slice, @Nullable JobId job) {
    return find(slice) != null
        && readyFor(slice, job)
        && extents(slice).stream()
            .allMatch(one -> one.number() >= 0 && (taken(one.number()) & one.hosts()) == 0);
  }

  /** Returns the number of a pool's slices that a job could get at once now. */
  public int countFree(SlicePool pool, @Nullable JobId job) {
    return new FreeSlices(this, pool, job).count();
  }

  long taken(int number) {
    return held(number) | claimed(number) | kept(number);
  }

  /** Returns the held hosts of a slice of the fleet, under the suppositions. */
  long held(int number) {
    return supposed.held(number, holders.taken(number));
  }

  /** Returns the held or claimed hosts of a slice of the fleet, without suppositions. */
  long reallyTaken(int number) {
    return holders.taken(number) | claims.taken(number);
  }

  /** Returns the claimed hosts of a slice of the fleet. */
  long claimed(int number) {
    return claims.taken(number);
  }

  /** Returns the hosts of a slice of the fleet that are supposed to be kept. */
  long kept(int number) {
    return kept.held(number, 0);
  }

  /** Returns a what-if view of a pool's slices for a job; it sees no later changes. */
  public SliceOutlook outlook(SlicePool pool, @Nullable JobId job) {
    return new SliceOutlook(this, pool, job);
  }

  /**
   * Returns whether enough hosts of a pool are free, regardless of their positions. If the slices
   * still cannot be formed, the hosts are scattered.
   */
  public boolean scattered(SlicePool pool, int slices, @Nullable JobId job) {
    return new FreeSlices(this, pool, job).scattered(slices);
  }

  /** Returns the number of a pool's slices that the fleet can make if none is in use. */
  public int mostOf(SlicePool pool) {
    return fleet.sources(pool).most();
  }

  /** Returns the number of a pool's slices that can be made of present slices, used or not. */
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

  /** Returns whether all slices of a pool are slices of the fleet, without cutting or joining. */
  public boolean plain(SlicePool pool) {
    return fleet.sources(pool).plain();
  }

  /** Returns whether the flavor of a pool offers a slice and all of its hosts are suitable. */
  public boolean serves(String slice, SlicePool pool) {
    return fleet.serves(slice, pool);
  }

  /** Returns whether a slice shares hosts with a possible slice of the pool. */
  public boolean sharesHosts(String slice, SlicePool pool) {
    return fleet.sharingHosts(pool).test(slice);
  }

  /** Returns {@link #sharesHosts} of a pool, for many slices. */
  public Predicate<String> sharingHosts(SlicePool pool) {
    return fleet.sharingHosts(pool);
  }

  /**
   * Assigns slices to an attempt, which ends its own claims on them.
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

  /** Releases slices from the attempt that holds them. */
  public void release(List<String> names, AttemptKey attempt) {
    for (String slice : names) {
      if (!holders.remove(slice, attempt)) {
        throw new IllegalStateException("slice " + slice + " is not held by " + attempt);
      }
    }
  }

  /** Notes which of its slices an attempt is about to free; none if it keeps all, or has ended. */
  public void noteVacating(AttemptKey attempt, List<String> names) {
    if (names.isEmpty()) {
      vacating.remove(attempt);
    } else {
      vacating.put(attempt, names);
    }
  }

  /** Returns the slices that attempts are about to free, by attempt. */
  public SortedMap<AttemptKey, List<String>> vacating() {
    return Collections.unmodifiableSortedMap(vacating);
  }

  /**
   * Claims slices for an index, including held ones.
   *
   * @throws IllegalStateException if one is already claimed
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

  /** Returns the names of held or claimed slices that the fleet can no longer make. */
  public List<String> retired() {
    TreeSet<String> retired = new TreeSet<>(holders.all().keySet());
    retired.addAll(claims.all().keySet());
    retired.removeIf(name -> find(name) != null);
    return List.copyOf(retired);
  }
}
