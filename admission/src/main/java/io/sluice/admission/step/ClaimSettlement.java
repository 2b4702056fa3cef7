// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.step;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.decision.IndexAdmission;
import io.sluice.admission.ordering.QueueOrder;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.Displaced;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.record.SubmitterKey;
import io.sluice.admission.state.usage.UsageTrial;
import io.sluice.admission.topology.SlicePool;
import io.sluice.queuemodel.event.Assignment;
import io.sluice.queuemodel.event.Claim;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.IndexKey;
import io.sluice.queuemodel.job.JobId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settles claims: admits the holders of claims that now have room, and ends claims that can no
 * longer get it.
 */
public final class ClaimSettlement {
  private final Decisions decisions;
  private final AdmissionState state;

  public ClaimSettlement(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
  }

  public void settle() {
    List<ClaimState> claims = new ArrayList<>(state.claims());
    claims.sort(
        Comparator.comparing((ClaimState claim) -> claim.job().workload(), QueueOrder.OF_WORKLOADS)
            .thenComparing(claim -> claim.claim().holder()));
    for (int last = claims.size() - 1; last >= 0; last--) {
      endIfTooMany(claims.get(last));
    }
    claims.forEach(this::settle);
  }

  /** Ends a claim whose submitter exceeds a lowered limit; running jobs keep what they hold. */
  private void endIfTooMany(ClaimState claim) {
    JobEntry job = claim.job();
    Integer limit = state.running().limit(job.workload().queue());
    if (limit != null
        && job.live().isEmpty()
        && state.running().count(SubmitterKey.of(job.workload())) > limit) {
      decisions.record(new Event.ClaimEnded(claim.claim().holder(), Claim.End.USELESS));
    }
  }

  private void settle(ClaimState claim) {
    IndexKey holder = claim.claim().holder();
    ClaimState current = state.findClaim(holder);
    // A moving attempt has to leave its present place first.
    if (current == null || current.job().live(holder.index()) != null) {
      return;
    }
    // The claim's own reservation must not count against it.
    boolean fits;
    boolean willFit;
    try (UsageTrial without = new UsageTrial(state.ledger().promised())) {
      without.remove(current.usage());
      fits = state.ledger().fits(current.usage());
      willFit = state.ledger().fitsPromised(current.usage());
    }
    List<String> slices = slicesNow(current);
    boolean crosses = state.plan().fillers().crosses(current);
    if (fits && !crosses && slices != null && state.awaited().isEmpty()) {
      JobEntry job = current.job();
      Assignment wanted = current.claim().wanted();
      List<JobId> displaced = Displaced.by(current, state);
      decisions.record(new Event.ClaimEnded(holder, Claim.End.ADMITTED));
      new IndexAdmission(decisions)
          .admit(
              job,
              holder.index(),
              new Assignment(wanted.clusterQueue(), wanted.podSets(), slices, wanted.rung()),
              displaced);
    } else if (!willFit || crosses || lost(current)) {
      decisions.record(
          new Event.ClaimEnded(
              holder, waitsForOverdue(state, current) ? Claim.End.NOT_DRAINED : Claim.End.USELESS));
    }
  }

  /** Returns whether a victim of a claim did not drain in time. */
  static boolean waitsForOverdue(AdmissionState state, ClaimState claim) {
    return claim.claim().victims().stream()
        .map(state::findAttempt)
        .anyMatch(victim -> victim != null && victim.overdue());
  }

  /** Returns slices for the holder, claimed ones first; null if there are not enough. */
  private @Nullable List<String> slicesNow(ClaimState claim) {
    List<String> wanted = claim.claim().wanted().slices();
    if (wanted.isEmpty()) {
      return wanted;
    }
    IndexKey holder = claim.claim().holder();
    List<String> now = new ArrayList<>();
    SlicePool pool = poolOf(claim);
    for (String slice : wanted) {
      if (state.slices().find(slice) != null
          && state.slices().availableTo(slice, holder)
          && serves(slice, pool)) {
        now.add(slice);
      }
    }
    if (now.size() < wanted.size() && pool != null) {
      now.addAll(otherSlices(claim.job(), pool, wanted.size() - now.size()));
    }
    return now.size() == wanted.size() ? now : null;
  }

  /** Returns free slices that are not kept for planned starts. */
  private List<String> otherSlices(JobEntry job, SlicePool pool, int most) {
    Runnable giveBack = state.plan().guard().keepSlicesFrom(job);
    try {
      return state.slices().free(pool, most, job.id());
    } finally {
      giveBack.run();
    }
  }

  private static @Nullable SlicePool poolOf(ClaimState claim) {
    return SlicePool.of(claim.claim().wanted(), claim.job().workload().shape());
  }

  /** Labels and taints of hosts may have changed since the slice was claimed. */
  private boolean serves(String slice, @Nullable SlicePool pool) {
    return pool == null || state.slices().serves(slice, pool);
  }

  /**
   * Returns whether a claimed slice has left the fleet, no longer meets the requirements, or is
   * held by an attempt that is not to end.
   */
  private boolean lost(ClaimState claim) {
    SlicePool pool = poolOf(claim);
    for (String slice : claim.claim().wanted().slices()) {
      if (state.slices().find(slice) == null
          || !state.slices().readyFor(slice, claim.claim().holder().job())
          || !serves(slice, pool)
          || !state.slices().heldOn(slice).stream().allMatch(this::leaves)) {
        return true;
      }
    }
    return false;
  }

  private boolean leaves(String held) {
    AttemptKey holder = state.slices().holder(held);
    Attempt attempt = holder == null ? null : state.findAttempt(holder);
    return attempt == null || attempt.leaves(held);
  }
}
