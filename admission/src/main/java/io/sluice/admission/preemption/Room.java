// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preemption;

import io.sluice.admission.flavor.PodPlacing;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Attempt;
import io.sluice.admission.state.Usage;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.job.AttemptKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The room there would be if some candidates were gone and all that drains had drained. It is tried
 * on the state's promised usage: whoever takes must put back.
 */
final class Room {
  private final AdmissionState state;
  private final RoomNeed need;
  private final boolean borrowing;
  private int slices;

  Room(AdmissionState state, RoomNeed need, boolean borrowing) {
    this.state = state;
    this.need = need;
    this.borrowing = borrowing;
    this.slices = openSlices(state, need).size();
  }

  void take(Candidate candidate) {
    candidate.usage().removeFrom(state.ledger().promised());
    slices += slicesOf(candidate);
  }

  void putBack(Candidate candidate) {
    candidate.usage().addTo(state.ledger().promised());
    slices -= slicesOf(candidate);
  }

  private int slicesOf(Candidate candidate) {
    SlicePool pool = need.pool();
    int count = 0;
    if (pool != null) {
      for (String slice : candidate.slices()) {
        count += gives(slice, pool) ? 1 : 0;
      }
    }
    return count;
  }

  private boolean gives(String slice, SlicePool pool) {
    return state.slices().isIn(slice, pool)
        && state.slices().standings().readyFor(slice, need.job());
  }

  boolean enough() {
    if (slices < need.slices()) {
      return false;
    }
    QuotaUsage usage = state.ledger().promised();
    Usage wanted = need.usage();
    for (int at = 0; at < wanted.size(); at++) {
      int number = wanted.flavorResource(at);
      long amount = wanted.amount(at);
      if (amount > Math.max(0, usage.available(wanted.node(), number))
          || (!borrowing && usage.borrowsWith(wanted.node(), number, amount))) {
        return false;
      }
    }
    return PodPlacing.find(state, need.pods(), List.of(usage.nodes())).unplaced() == null;
  }

  /** Unclaimed slices of the pool that are free or will be when all that drains has drained. */
  private static List<String> openSlices(AdmissionState state, RoomNeed need) {
    List<String> open = new ArrayList<>();
    SlicePool pool = need.pool();
    if (pool != null) {
      for (String slice : state.slices().of(pool)) {
        AttemptKey holder = state.slices().holder(slice);
        if (state.slices().claimant(slice) == null
            && state.slices().standings().readyFor(slice, need.job())
            && (holder == null || leaves(state, holder, slice))) {
          open.add(slice);
        }
      }
    }
    return open;
  }

  private static boolean leaves(AdmissionState state, AttemptKey key, String slice) {
    Attempt attempt = state.findAttempt(key);
    return attempt != null && attempt.leaves(slice);
  }

  /** The slices to claim: those that are free before those that have yet to drain. */
  static List<String> slicesFor(AdmissionState state, RoomNeed need, List<Candidate> victims) {
    SlicePool pool = need.pool();
    if (pool == null) {
      return List.of();
    }
    List<String> all = openSlices(state, need);
    for (Candidate victim : victims) {
      for (String slice : victim.slices()) {
        if (state.slices().isIn(slice, pool)
            && state.slices().standings().readyFor(slice, need.job())) {
          all.add(slice);
        }
      }
    }
    all.sort(
        Comparator.<String, Boolean>comparing(slice -> state.slices().holder(slice) != null)
            .thenComparing(Comparator.naturalOrder()));
    return List.copyOf(all.subList(0, need.slices()));
  }
}
