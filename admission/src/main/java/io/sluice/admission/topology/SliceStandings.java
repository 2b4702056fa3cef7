// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.fleet.SliceCondition;
import io.sluice.queuemodel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The slices that are absent, leaving, reserved for a job, or about to be returned. All other
 * slices are ready.
 */
public final class SliceStandings {
  /** Time for which an unused granted slice is reserved. */
  public static final Duration GRANT_HOLD = Duration.ofMinutes(5);

  /** The end of a slice's hold time. */
  private record Due(Instant at, String slice) implements Comparable<Due> {
    private static final Comparator<Due> ORDER =
        Comparator.comparing(Due::at).thenComparing(Due::slice);

    @Override
    public int compareTo(Due other) {
      return ORDER.compare(this, other);
    }
  }

  private final TreeMap<String, SliceStanding> standings = new TreeMap<>();
  private final TreeSet<Due> holds = new TreeSet<>();
  private final TreeMap<RungKey, TreeSet<String>> kept = new TreeMap<>();
  private final TreeSet<String> touched = new TreeSet<>();

  /** Returns whether all slices are ready for all jobs. */
  boolean none() {
    return standings.isEmpty();
  }

  /** Returns the standing of a slice; null if it is ready for all jobs. */
  public @Nullable SliceStanding find(String slice) {
    return standings.get(slice);
  }

  /** Returns all standings, by slice. */
  public Collection<SliceStanding> all() {
    return Collections.unmodifiableCollection(standings.values());
  }

  public SliceCondition condition(String slice) {
    SliceStanding standing = standings.get(slice);
    return standing == null ? SliceCondition.READY : standing.condition();
  }

  /** Returns whether the slice is ready and not reserved for another job. */
  public boolean readyFor(String slice, @Nullable JobId job) {
    SliceStanding standing = standings.get(slice);
    if (standing == null) {
      return true;
    }
    RungKey keeper = standing.keptFor();
    return standing.condition() == SliceCondition.READY
        && (keeper == null || keeper.job().equals(job));
  }

  /** Returns the rungs for which slices are reserved. */
  public List<RungKey> keepers() {
    return List.copyOf(kept.keySet());
  }

  /** Returns the slices that are reserved for a rung, by name. */
  public List<String> keptFor(RungKey rung) {
    TreeSet<String> slices = kept.get(rung);
    return slices == null ? List.of() : List.copyOf(slices);
  }

  /** Returns the slices whose hold time has ended. */
  public List<SliceStanding> due(Instant now) {
    List<SliceStanding> due = new ArrayList<>();
    for (Due hold : holds) {
      SliceStanding standing = standings.get(hold.slice());
      if (hold.at().isAfter(now)) {
        break;
      }
      if (standing != null) {
        due.add(standing);
      }
    }
    return due;
  }

  /** Returns when the first hold time ends; null if there is none. */
  public @Nullable Instant nextDueAt() {
    return holds.isEmpty() ? null : holds.first().at();
  }

  /** Returns the current standings of the slices changed since the last call. */
  public List<SliceStanding> collectTouched() {
    List<SliceStanding> changed = new ArrayList<>();
    for (String slice : touched) {
      SliceStanding standing = standings.get(slice);
      changed.add(
          standing == null ? new SliceStanding(slice, SliceCondition.READY, null, null) : standing);
    }
    touched.clear();
    return changed;
  }

  /** Sets the standing of a slice. */
  public void put(SliceStanding standing) {
    restore(standing);
    touched.add(standing.slice());
  }

  /** Sets a stored standing, like {@link #put} but without marking it as changed. */
  public void restore(SliceStanding standing) {
    String slice = standing.slice();
    drop(slice);
    standings.put(slice, standing);
    Instant until = standing.until();
    if (standing.condition() == SliceCondition.READY && until != null) {
      holds.add(new Due(until, slice));
    }
    RungKey keeper = standing.keptFor();
    if (keeper != null) {
      kept.computeIfAbsent(keeper, absent -> new TreeSet<>()).add(slice);
    }
  }

  /** Makes the slice ready for all jobs, without a time limit. */
  public void clear(String slice) {
    if (drop(slice)) {
      touched.add(slice);
    }
  }

  private boolean drop(String slice) {
    SliceStanding old = standings.remove(slice);
    if (old == null) {
      return false;
    }
    if (old.until() != null) {
      holds.remove(new Due(old.until(), slice));
    }
    RungKey keeper = old.keptFor();
    TreeSet<String> slices = keeper == null ? null : kept.get(keeper);
    if (keeper != null && slices != null && slices.remove(slice) && slices.isEmpty()) {
      kept.remove(keeper);
    }
    return true;
  }
}
