// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preemption;

import io.sluice.admission.state.fact.ClaimState;
import io.sluice.admission.state.usage.Usage;
import java.util.ArrayList;
import java.util.List;

/**
 * Who must go for a preemptor; none of them can be left out.
 *
 * @param claims of others, which must end
 * @param slices what the preemptor will be given, if it asks for slices
 */
public record Victims(List<Victim> attempts, List<ClaimState> claims, List<String> slices) {
  public Victims {
    attempts = List.copyOf(attempts);
    claims = List.copyOf(claims);
    slices = List.copyOf(slices);
  }

  /** What they use, or claim. */
  public List<Usage> usages() {
    List<Usage> usages = new ArrayList<>();
    attempts.forEach(victim -> usages.add(victim.attempt().usage()));
    claims.forEach(claim -> usages.add(claim.usage()));
    return usages;
  }

  /** Whether nobody has to go: what drains already leaves enough room. */
  public boolean nobody() {
    return attempts.isEmpty() && claims.isEmpty();
  }
}
