// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preemption;

import io.sluice.admission.state.PlanGuard;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.admission.state.usage.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A minimal set of victims for a preemptor.
 *
 * @param claims claims of other jobs to end
 * @param slices slices for the preemptor; empty if it requests none
 */
public record Victims(List<Victim> attempts, List<ClaimState> claims, List<String> slices) {
  public Victims {
    attempts = List.copyOf(attempts);
    claims = List.copyOf(claims);
    slices = List.copyOf(slices);
  }

  /** Returns the usages of the victims. */
  public List<Usage> usages() {
    List<Usage> usages = new ArrayList<>();
    attempts.forEach(victim -> usages.add(victim.attempt().usage()));
    claims.forEach(claim -> usages.add(claim.usage()));
    return usages;
  }

  /** Returns whether planned starts permit that a job claims the room of the victims. */
  public boolean permitted(PlanGuard guard, JobEntry job, Usage usage) {
    return guard.permitsAfter(job, usage, leaving(), claims, slices);
  }

  /** Returns the time that the victims have to drain. */
  public Duration grace() {
    return ClaimState.longestGrace(leaving());
  }

  private List<Attempt> leaving() {
    return attempts.stream().map(Victim::attempt).toList();
  }

  /** Returns whether there are no victims, because draining room suffices. */
  public boolean nobody() {
    return attempts.isEmpty() && claims.isEmpty();
  }
}
