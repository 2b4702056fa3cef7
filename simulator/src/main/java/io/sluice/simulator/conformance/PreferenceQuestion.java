// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.flavor.FlavorPreference;
import io.sluice.admission.flavor.FlavorPreference.Level;

/** Answers whether one flavor is preferred to another. */
final class PreferenceQuestion implements CaseQuestion {
  @Override
  public ObjectNode answer(ConformanceCase asked) {
    JsonNode action = asked.action();
    return CaseFields.object()
        .put(
            "aPreferred",
            preference(action.path("a"))
                .betterThan(
                    preference(action.path("b")),
                    ObjectReading.fungibility(action.path("flavorFungibility"))));
  }

  private static FlavorPreference preference(JsonNode written) {
    return new FlavorPreference(
        level(CaseFields.text(written, "mode", "")), written.path("borrowingLevel").asInt());
  }

  private static Level level(String mode) {
    return switch (mode) {
      case "noFit" -> Level.NO_FIT;
      case "noPreemptionCandidates" -> Level.NO_CANDIDATES;
      case "preempt" -> Level.PREEMPT;
      case "reclaim" -> Level.RECLAIM;
      case "fit" -> Level.FIT;
      default -> throw new UnanswerableCaseException("unknown mode \"" + mode + "\"");
    };
  }
}
