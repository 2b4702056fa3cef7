// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preemption;

import io.sluice.admission.flavor.PodPlacing;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.usage.Usage;
import io.sluice.admission.state.usage.UsageTrial;
import io.sluice.admission.topology.SliceOutlook;
import io.sluice.admission.topology.SlicePool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The room after the eviction of some candidates, once all draining attempts are gone. It modifies
 * the state's promised usage until it is closed.
 */
final class Room implements AutoCloseable {
  /** Whether the preemptor's queue may use more than its nominal quota. */
  enum Borrowing {
    ALLOWED,
    FORBIDDEN
  }

  private final AdmissionState state;
  private final RoomNeed need;
  private final Borrowing borrowing;
  private final UsageTrial promised;
  private final @Nullable SliceOutlook slices;

  Room(AdmissionState state, RoomNeed need, Borrowing borrowing) {
    this.state = state;
    this.need = need;
    this.borrowing = borrowing;
    this.promised = new UsageTrial(state.ledger().promised());
    this.slices = outlook(state, need);
  }

  void take(Candidate candidate) {
    promised.remove(candidate.usage());
    if (slices != null) {
      give(slices, candidate);
    }
  }

  private static void give(SliceOutlook slices, Candidate candidate) {
    if (candidate.attempt() == null) {
      slices.unclaim(candidate.slices());
    } else {
      slices.release(candidate.slices());
    }
  }

  void putBack(Candidate candidate) {
    promised.add(candidate.usage());
    if (slices != null && candidate.attempt() == null) {
      slices.claim(candidate.slices());
    } else if (slices != null) {
      slices.hold(candidate.slices());
    }
  }

  boolean enough() {
    if (slices != null && slices.count() < need.slices()) {
      return false;
    }
    QuotaUsage usage = state.ledger().promised();
    Usage wanted = need.usage();
    for (int at = 0; at < wanted.size(); at++) {
      int number = wanted.flavorResource(at);
      long amount = wanted.amount(at);
      if (amount > Math.max(0, usage.available(wanted.node(), number))
          || (borrowing == Borrowing.FORBIDDEN
              && usage.borrowsWith(wanted.node(), number, amount))) {
        return false;
      }
    }
    return PodPlacing.find(state, need.pods(), List.of(usage.nodes())).unplaced() == null;
  }

  @Override
  public void close() {
    promised.close();
  }

  /** Returns the slices once all draining attempts are gone; null if none are needed. */
  private static @Nullable SliceOutlook outlook(AdmissionState state, RoomNeed need) {
    SlicePool pool = need.pool();
    if (pool == null) {
      return null;
    }
    SliceOutlook outlook = state.slices().outlook(pool, need.job());
    state.slices().vacating().values().forEach(outlook::release);
    return outlook;
  }

  /** Returns the slices to claim, free ones before those that are still to drain. */
  static List<String> slicesFor(AdmissionState state, RoomNeed need, List<Candidate> victims) {
    SliceOutlook outlook = outlook(state, need);
    if (outlook == null) {
      return List.of();
    }
    victims.forEach(victim -> give(outlook, victim));
    return outlook.choose(need.slices());
  }
}
