// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.admission.ordering.EntryOrder;
import io.sluice.admission.placement.PlacementRules;
import io.sluice.admission.policy.CycleRule;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.policy.FairSharing.Strategy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a case. Gates are on by default but those few that are named here; what no
 * class of the engine looks at has no effect.
 */
final class Gates {
  private static final List<String> OFF_BY_DEFAULT =
      List.of(
          "ConcurrentAdmission",
          "ElasticJobsViaWorkloadSlicesWithTAS",
          "MultiKueueOrchestratedPreemption",
          "PrioritizePreemptorWorkloads",
          "PriorityBoost",
          "TASBalancedPlacement",
          "TASRespectNodeAffinityPreferred",
          "UnadmittedWorkloadsExplicitStatus");

  private final JsonNode config;

  Gates(JsonNode config) {
    this.config = config;
  }

  boolean on(String gate) {
    return config.path("featureGates").path(gate).asBoolean(!OFF_BY_DEFAULT.contains(gate));
  }

  /** The engine's policy for a single cycle. */
  EnginePolicy policy() {
    return new EnginePolicy(
        CycleRule.SINGLE,
        entryOrder(),
        fairSharing(),
        on("RecomputeAssignmentUponPreemptionTargetsOverlap"),
        on("PartialAdmission"),
        placement());
  }

  PlacementRules placement() {
    return new PlacementRules(
        on("TopologyAwareScheduling"),
        on("TASProfileMixed"),
        on("TASBalancedPlacement"),
        on("TASRespectNodeAffinityPreferred"),
        on("TASHandleOverlappingFlavors"),
        on("TASRecomputeAssignmentWithinSchedulingCycle"),
        on("TASFailedNodeReplacementFailFast"),
        on("ElasticJobsViaWorkloadSlicesWithTAS"));
  }

  EntryOrder entryOrder() {
    return new EntryOrder(on("PrioritizePreemptorWorkloads"), on("PrioritySortingWithinCohort"));
  }

  private @Nullable FairSharing fairSharing() {
    JsonNode written = config.get("fairSharing");
    if (written == null || written.isNull() || !written.path("enable").asBoolean(true)) {
      return null;
    }
    List<Strategy> strategies = new ArrayList<>();
    for (JsonNode word : written.path("preemptionStrategies")) {
      strategies.add(strategy(word.asText()));
    }
    return new FairSharing(
        strategies.isEmpty() ? FairSharing.DEFAULT.strategies() : strategies,
        on("FairSharingPreemptWithinNominal"),
        on("FairSharingPrioritizeNonBorrowing"));
  }

  private static Strategy strategy(String word) {
    for (Strategy strategy : Strategy.values()) {
      if (strategy.word().equals(word)) {
        return strategy;
      }
    }
    throw new UnanswerableCaseException("unknown preemption strategy " + word);
  }
}
