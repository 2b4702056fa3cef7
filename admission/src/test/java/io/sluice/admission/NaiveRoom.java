// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission;

import io.sluice.admission.flavor.FlavorAssignment;
import io.sluice.admission.flavor.PodPlacing;
import io.sluice.admission.flavor.RoomNeed;
import io.sluice.admission.placement.NodeUsage;
import io.sluice.admission.quota.QuotaUsage;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** The room that would be there without some attempts and claims, counted from scratch. */
final class NaiveRoom {
  private final AdmissionState state;
  private final RoomNeed need;
  private final Set<AttemptKey> freedAttempts = new TreeSet<>();
  private final Set<IndexKey> freedClaims = new TreeSet<>();

  NaiveRoom(AdmissionState state, FlavorAssignment assignment) {
    this.state = state;
    this.need = Objects.requireNonNull(assignment.need());
  }

  void free(Attempt attempt) {
    freedAttempts.add(attempt.key());
  }

  void free(ClaimState claim) {
    freedClaims.add(claim.claim().holder());
  }

  /** Whether there is enough room, with or without the queue borrowing. */
  boolean enough(boolean borrowing) {
    NodeUsage nodes = new NodeUsage(state.topologies(), state.policy().placement().sharesHosts());
    QuotaUsage usage = new QuotaUsage(state.ledger().tree(), nodes);
    Set<String> taken = new TreeSet<>();
    for (Attempt attempt : state.attempts()) {
      if (!attempt.draining() && !freedAttempts.contains(attempt.key())) {
        attempt.usage().addTo(usage);
        taken.addAll(attempt.assignment().slices());
      }
    }
    for (ClaimState claim : state.claims()) {
      if (!freedClaims.contains(claim.claim().holder())) {
        claim.usage().addTo(usage);
        taken.addAll(claim.claim().wanted().slices());
      }
    }
    boolean slices = true;
    var pool = need.pool();
    if (pool != null) {
      JobEntry job = Objects.requireNonNull(state.findJob(need.job()));
      Set<String> closed = NaiveSlices.closedTo(state.fleet(), job.workload().shape());
      slices = NaiveSlices.most(state, pool, need.job(), taken, closed) >= need.slices();
    }
    boolean borrows = false;
    for (int at = 0; at < need.usage().size(); at++) {
      borrows |=
          usage.borrowsWith(
              need.usage().node(), need.usage().flavorResource(at), need.usage().amount(at));
    }
    boolean places = PodPlacing.find(state, need.pods(), List.of(nodes)).unplaced() == null;
    return slices && places && need.usage().fitsIn(usage) && (borrowing || !borrows);
  }
}
