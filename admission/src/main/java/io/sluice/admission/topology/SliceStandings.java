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
 * The slices that are not simply there: absent, leaving, kept for somebody, or about to be given
 * back. A slice that is not here is ready.
 */
public final class SliceStandings {
  /** How long a slice that its provider gave is kept when nobody uses it. */
  public static final Duration GRANT_HOLD = Duration.ofMinutes(5);

  /** When something is due of a slice. */
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

  /** Whether all slices are ready, for everybody. */
  boolean none() {
    return standings.isEmpty();
  }

  /** Null: it is ready, for everybody. */
  public @Nullable SliceStanding find(String slice) {
    return standings.get(slice);
  }

  /** All, by slice. */
  public Collection<SliceStanding> all() {
    return Collections.unmodifiableCollection(standings.values());
  }

  public SliceCondition condition(String slice) {
    SliceStanding standing = standings.get(slice);
    return standing == null ? SliceCondition.READY : standing.condition();
  }

  /** Whether a job could be given the slice, as far as its provider is concerned. */
  public boolean readyFor(String slice, @Nullable JobId job) {
    SliceStanding standing = standings.get(slice);
    if (standing == null) {
      return true;
    }
    RungKey keeper = standing.keptFor();
    return standing.condition() == SliceCondition.READY
        && (keeper == null || keeper.job().equals(job));
  }

  /** For which rungs slices are kept. */
  public List<RungKey> keepers() {
    return List.copyOf(kept.keySet());
  }

  /** The slices that are kept for a rung, by name. */
  public List<String> keptFor(RungKey rung) {
    TreeSet<String> slices = kept.get(rung);
    return slices == null ? List.of() : List.copyOf(slices);
  }

  /** Slices that have been kept for long enough by then. */
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

  /** When the first slice has been kept for long enough; null if none is kept. */
  public @Nullable Instant nextDueAt() {
    return holds.isEmpty() ? null : holds.first().at();
  }

  /** The slices that changed since this was last asked, each with what it is now. */
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

  /** Makes a slice be as the standing says. */
  public void put(SliceStanding standing) {
    restore(standing);
    touched.add(standing.slice());
  }

  /** As {@link #put}, of what is known already to whoever keeps it. */
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

  /** The slice is ready, for everybody and for good. */
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
