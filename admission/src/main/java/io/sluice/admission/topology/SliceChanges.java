// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.topology;

import io.sluice.queuemodel.event.RungKey;
import io.sluice.queuemodel.fleet.Fleet;
import io.sluice.queuemodel.fleet.Slice;
import io.sluice.queuemodel.fleet.SliceCondition;
import java.time.Instant;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Changes the conditions of slices when they arrive, are used, or leave. */
public final class SliceChanges {
  private final SliceTable slices;
  private final SliceStandings standings;

  public SliceChanges(SliceTable slices) {
    this.slices = slices;
    this.standings = slices.standings();
  }

  /**
   * Replaces the fleet. A slice that remains on the same terms keeps its condition. Otherwise, it
   * becomes absent if its type has to be sought, unless an attempt holds it. A slice that lacks
   * hosts is lost.
   */
  public void replaceFleet(Fleet before, Fleet after) {
    SortedSet<String> missingBefore = before.missingHosts();
    SortedSet<String> missing = after.missingHosts();
    TreeMap<String, Slice> known = new TreeMap<>();
    before.slices().forEach(slice -> known.put(slice.name(), slice));
    for (Slice slice : after.slices()) {
      Slice old = known.remove(slice.name());
      boolean provisioned = after.provisioned(slice);
      boolean sameTerms = old != null && before.provisioned(old) == provisioned;
      boolean whole = isWhole(slice, missing);
      if (sameTerms && whole == isWhole(old, missingBefore)) {
        continue;
      }
      if (!whole) {
        lose(slice.name());
      } else if (provisioned || slices.holder(slice.name()) != null) {
        standings.clear(slice.name());
      } else {
        put(slice.name(), SliceCondition.ABSENT, null, null);
      }
    }
    known.keySet().forEach(standings::clear);
  }

  private static boolean isWhole(Slice slice, SortedSet<String> missing) {
    return missing.isEmpty() || slice.hosts().stream().noneMatch(host -> missing.contains(host));
  }

  public void keep(List<String> names, RungKey rung, Instant until) {
    names.forEach(slice -> put(slice, SliceCondition.READY, rung, until));
  }

  public void makeAbsent(List<String> names) {
    names.forEach(slice -> put(slice, SliceCondition.ABSENT, null, null));
  }

  public void beginLeaving(String slice, Instant until) {
    put(slice, SliceCondition.LEAVING, null, until);
  }

  /** Records the loss of a slice. Processes on it may still run. */
  public void lose(String slice) {
    boolean held = slices.holder(slice) != null;
    put(slice, held ? SliceCondition.LEAVING : SliceCondition.ABSENT, null, null);
  }

  public void comeBack(String slice, Fleet fleet, Instant now) {
    standings.clear(slice);
    settle(List.of(slice), fleet, now);
  }

  /**
   * Handles slices that were released or unclaimed: sought slices return to their provider after
   * the hold time.
   */
  public void settle(List<String> names, Fleet fleet, Instant now) {
    for (String slice : slices.membersOf(names)) {
      Slice known = slices.find(slice);
      boolean open = slices.holder(slice) == null && slices.claimant(slice) == null;
      SliceStanding standing = standings.find(slice);
      if (!open || known == null) {
        continue;
      }
      if (standing == null) {
        if (!fleet.provisioned(known)) {
          put(slice, SliceCondition.READY, null, now.plus(SliceStandings.GRANT_HOLD));
        }
      } else if (standing.condition() == SliceCondition.LEAVING && standing.until() == null) {
        put(slice, SliceCondition.ABSENT, null, null);
      }
    }
  }

  /** Clears the hold times of claimed slices, because their claims keep them. */
  public void claimed(List<String> names) {
    for (String slice : slices.membersOf(names)) {
      if (standings.condition(slice) == SliceCondition.READY) {
        standings.clear(slice);
      }
    }
  }

  private void put(
      String slice, SliceCondition condition, @Nullable RungKey keptFor, @Nullable Instant until) {
    standings.put(new SliceStanding(slice, condition, keptFor, until));
  }
}
