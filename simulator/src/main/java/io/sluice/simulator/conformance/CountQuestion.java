// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.admission.flavor.CountReduction;
import io.sluice.queuemodel.job.PodSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers with how many pods a workload is admitted (partial admission). */
final class CountQuestion implements CaseQuestion {
  @Override
  public ObjectNode answer(ConformanceCase asked) {
    long most = asked.action().path("maxTotalThatFits").asLong();
    List<PodSet> podSets = new ArrayList<>();
    for (JsonNode podSet : asked.action().path("podSets")) {
      podSets.add(PodReading.podSet(podSet, podSet.path("count").asInt()));
    }
    Optional<Long> found =
        new CountReduction(podSets)
            .search(
                counts -> {
                  long total = counts.stream().mapToLong(PodSet::count).sum();
                  return total <= most ? Optional.of(total) : Optional.empty();
                });
    return CaseFields.object().put("found", found.isPresent()).put("total", found.orElse(0L));
  }
}
