// SPDX-License-Identifier: Apache-2.0
package io.sluice.restmodel.simulation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.sluice.restmodel.Listed;
import java.time.Instant;

/** The effects of simulated changes: the future with them, compared with the one without them. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SimulationAnswer(
    @JsonPropertyDescription("The batch of the journal that the simulation starts from") long asOf,
    @JsonPropertyDescription("Virtual time at the beginning") Instant begin,
    @JsonPropertyDescription("Virtual time up to which the futures are compared") Instant until,
    @JsonPropertyDescription(
            "true: a bound of time or memory stopped the simulation before its horizon")
        boolean truncated,
    @JsonPropertyDescription("What the dates assume, as sentences") String assumption,
    @JsonPropertyDescription("Number of jobs by effect") EffectCounts counts,
    @JsonPropertyDescription("Evictions until then without the changes") EvictionCost without,
    @JsonPropertyDescription("Evictions until then with the changes") EvictionCost with,
    @JsonPropertyDescription(
            "The submitted jobs and those with another time limit, then the other affected jobs:"
                + " displaced ones first, then by how much later they start")
        Listed<SimulatedJob> jobs) {

  /** Number of jobs by effect. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record EffectCounts(
      @JsonPropertyDescription("Jobs that start only with the changes") int starts,
      @JsonPropertyDescription("Jobs that start earlier") int earlier,
      @JsonPropertyDescription("Jobs that start later") int later,
      @JsonPropertyDescription("Jobs that do not start by the end of the comparison") int never,
      @JsonPropertyDescription("Jobs of which more attempts are evicted") int displaced,
      @JsonPropertyDescription("Jobs of which fewer attempts are evicted") int spared,
      @JsonPropertyDescription("Jobs whose start depends on a provider of capacity") int unknown) {}

  /** The evictions of a future, and the work that they can cost. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record EvictionCost(
      @JsonPropertyDescription("Number of jobs of which attempts are evicted") int jobs,
      @JsonPropertyDescription("Number of evicted attempts") int evictions,
      @JsonPropertyDescription(
              "Hours for which the evicted attempts ran, a decimal number; a saved checkpoint makes"
                  + " the loss smaller")
          String attemptHours,
      @JsonPropertyDescription("The same, multiplied by the devices of each, a decimal number")
          String deviceHours) {}
}
