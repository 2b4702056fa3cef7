// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.admission.topology.PoolSources.Entry;
import io.sluice.admission.topology.PoolSources.Seat;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A what-if view of a pool's slices that a job could get if some holders and claims were gone. It
 * starts from the current table, does not see later changes, and updates the count incrementally.
 */
public final class SliceOutlook {
  /** A source with its used hosts and the seat or group where it counts. */
  private static final class Source {
    final Entry entry;
    final @Nullable Seat seat;
    final int group;
    final long taken;
    final long eligible;
    boolean ready;
    boolean kept;
    long held;
    long claimed;

    Source(Entry entry, @Nullable Seat seat, int group, long taken, long eligible) {
      this.entry = entry;
      this.seat = seat;
      this.group = group;
      this.taken = taken;
      this.eligible = eligible;
    }

    long free() {
      return ready ? eligible & ~held & ~claimed : 0;
    }

    boolean whole() {
      return free() == entry.boxes().all();
    }

    long freeNow() {
      return free() & ~taken;
    }
  }

  private final SliceTable table;
  private final SlicePool pool;
  private final PoolSources sources;
  private final List<Source> all = new ArrayList<>();
  private final @Nullable Source[] byNumber;
  private final int[] wholeInGroup;
  private int count;

  SliceOutlook(SliceTable table, SlicePool pool, @Nullable JobId job) {
    this.table = table;
    this.pool = pool;
    this.sources = table.fleet().sources(pool);
    this.byNumber = new Source[table.fleet().size()];
    this.wholeInGroup = new int[sources.groups().size()];
    sources.seats().forEach(seat -> add(seat.entry(), seat, -1, job));
    for (int group = 0; group < sources.groups().size(); group++) {
      for (Entry entry : sources.groups().get(group).members()) {
        add(entry, null, group, job);
      }
    }
  }

  private void add(Entry entry, @Nullable Seat seat, int group, @Nullable JobId job) {
    int number = entry.number();
    Source source =
        new Source(
            entry,
            seat,
            group,
            table.reallyTaken(number),
            entry.boxes().all() & sources.eligible(entry) & ~table.kept(number));
    source.held = table.held(number);
    source.claimed = table.claimed(number);
    String slice = entry.slice().name();
    SliceStanding standing = table.standings().find(slice);
    source.ready = table.standings().readyFor(slice, job);
    source.kept = source.ready && standing != null && standing.keptFor() != null;
    byNumber[number] = source;
    all.add(source);
    count(source, 1);
  }

  private void count(Source source, int sign) {
    Seat seat = source.seat;
    if (seat != null) {
      count += sign * source.entry.boxes().free(seat.level(), source.free());
    } else if (source.whole()) {
      int each = sources.membersPerSlice();
      count -= wholeInGroup[source.group] / each;
      wholeInGroup[source.group] += sign;
      count += wholeInGroup[source.group] / each;
    }
  }

  /** A change of a source's hosts. */
  private interface Change {
    void to(Source source, long hosts);
  }

  private void change(List<String> names, Change change) {
    for (String name : names) {
      for (Occupants.Extent extent : table.fleet().extents(name)) {
        Source source = extent.number() < 0 ? null : byNumber[extent.number()];
        if (source != null) {
          count(source, -1);
          change.to(source, extent.hosts());
          count(source, 1);
        }
      }
    }
  }

  /** Supposes that these slices are no longer held. */
  public void release(List<String> slices) {
    change(slices, (source, hosts) -> source.held &= ~hosts);
  }

  /** Supposes that these slices are held. */
  public void hold(List<String> slices) {
    change(slices, (source, hosts) -> source.held |= hosts);
  }

  /** Supposes that these slices are no longer claimed. */
  public void unclaim(List<String> slices) {
    change(slices, (source, hosts) -> source.claimed &= ~hosts);
  }

  /** Supposes that these slices are claimed. */
  public void claim(List<String> slices) {
    change(slices, (source, hosts) -> source.claimed |= hosts);
  }

  /** Supposes that these slices of the fleet are ready for the job. */
  public void provide(List<String> slices) {
    change(slices, (source, hosts) -> source.ready = true);
  }

  /** Supposes that these slices of the fleet are absent. */
  public void remove(List<String> slices) {
    change(slices, (source, hosts) -> source.ready = false);
  }

  /** Returns the holders of hosts that slices of the pool could use. */
  public List<AttemptKey> holders() {
    TreeSet<AttemptKey> holders = new TreeSet<>();
    for (Source source : all) {
      if (source.held != 0) {
        holders.addAll(table.holders(source.entry.number()));
      }
    }
    return List.copyOf(holders);
  }

  /** Returns the number of slices that could be assigned at once. */
  public int count() {
    return count;
  }

  /**
   * Returns up to the given number of slices: first those reserved for the job, then free ones,
   * then the rest.
   */
  public List<String> choose(int most) {
    List<SliceName> chosen = new ArrayList<>();
    TreeMap<Integer, Long> used = new TreeMap<>();
    boolean anyKept = all.stream().anyMatch(source -> source.kept);
    if (anyKept) {
      choose(most, chosen, used, source -> source.kept ? source.freeNow() : 0);
    }
    choose(most, chosen, used, Source::freeNow);
    choose(most, chosen, used, Source::free);
    return chosen.stream().map(SliceName::toString).toList();
  }

  /** Selects the hosts of a source that may be chosen. */
  private interface Hosts {
    long of(Source source);
  }

  private void choose(int most, List<SliceName> chosen, Map<Integer, Long> used, Hosts hosts) {
    if (chosen.size() >= most) {
      return;
    }
    SlicePacking packing =
        new SlicePacking(
            sources,
            entry -> {
              Source source = byNumber[entry.number()];
              return source == null ? 0 : hosts.of(source) & ~used.getOrDefault(entry.number(), 0L);
            });
    for (SliceName name : packing.choose(pool.topology(), most - chosen.size())) {
      chosen.add(name);
      for (Occupants.Extent extent : table.fleet().extents(name.toString())) {
        used.merge(extent.number(), extent.hosts(), (a, b) -> a | b);
      }
    }
  }

  /**
   * Returns a minimal subset of the offered slices of the fleet that would make enough slices
   * available.
   *
   * @return null if all of them are not enough
   */
  public @Nullable List<String> needed(int slices, List<String> offered) {
    List<String> taken = new ArrayList<>();
    for (String slice : offered) {
      if (count >= slices) {
        break;
      }
      provide(List.of(slice));
      taken.add(slice);
    }
    boolean enough = count >= slices;
    for (int at = taken.size() - 2; enough && at >= 0; at--) {
      List<String> one = List.of(taken.get(at));
      remove(one);
      if (count >= slices) {
        taken.remove(at);
      } else {
        provide(one);
      }
    }
    taken.forEach(slice -> remove(List.of(slice)));
    return enough ? Collections.unmodifiableList(taken) : null;
  }
}
