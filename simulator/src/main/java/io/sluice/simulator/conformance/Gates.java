// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.admission.ordering.EntryOrder;
import io.sluice.admission.placement.PlacementRules;
import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.admission.policy.CycleRule;
import io.sluice.admission.policy.EndAllowances;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.policy.FairSharing;
import io.sluice.admission.policy.FairSharing.Strategy;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.job.StartPolicy;
import io.sluice.queuemodel.quantity.Quantities;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.queuemodel.quantity.ResourceTransformation;
import io.sluice.queuemodel.quantity.ResourceTransformations;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
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
        admissionFairSharing(),
        on("RecomputeAssignmentUponPreemptionTargetsOverlap"),
        on("PartialAdmission"),
        placement(),
        StartPolicy.DEFAULT,
        EndAllowances.DEFAULT);
  }

  /**
   * The policy of a server that is told nothing but what the case's configuration has in common
   * with a server's settings: fair sharing, and how usage of LocalQueues decays. Feature gates have
   * no effect.
   */
  EnginePolicy roundPolicy() {
    return EnginePolicy.DEFAULT
        .withFairSharing(fairSharing() == null ? null : FairSharing.DEFAULT)
        .withAdmissionFairSharing(admissionFairSharing());
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

  private @Nullable AdmissionFairSharing admissionFairSharing() {
    JsonNode written = config.get("admissionFairSharing");
    if (written == null || written.isNull() || !on("AdmissionFairSharing")) {
      return null;
    }
    SortedMap<ResourceName, BigDecimal> weights = new TreeMap<>();
    written
        .path("resourceWeights")
        .properties()
        .forEach(
            weight ->
                weights.put(
                    new ResourceName(weight.getKey()), new BigDecimal(weight.getValue().asText())));
    return new AdmissionFairSharing(
        DurationNotation.parse(CaseFields.text(written, "usageHalfLifeTime", "0s")),
        DurationNotation.parse(CaseFields.text(written, "usageSamplingInterval", "1s")),
        weights);
  }

  /** What requests count as. */
  ResourceTransformations transformations() {
    List<ResourceTransformation> transformations = new ArrayList<>();
    for (JsonNode one : config.path("resourceTransformations")) {
      SortedMap<ResourceName, BigDecimal> outputs = new TreeMap<>();
      one.path("outputs")
          .properties()
          .forEach(
              output ->
                  outputs.put(
                      new ResourceName(output.getKey()),
                      Quantities.exact(output.getValue().asText())));
      String multiplyBy = CaseFields.text(one, "multiplyBy", "");
      transformations.add(
          new ResourceTransformation(
              new ResourceName(CaseFields.text(one, "input", "")),
              !CaseFields.text(one, "strategy", "").equals("Replace"),
              multiplyBy.isEmpty() ? null : new ResourceName(multiplyBy),
              outputs));
    }
    return new ResourceTransformations(List.of(), transformations);
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
