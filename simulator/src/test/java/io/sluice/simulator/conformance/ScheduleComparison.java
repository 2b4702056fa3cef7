// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.queuemodel.quantity.Quantities;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The core of an answer to a case of scheduling, in a form that compares: who is admitted, where
 * and with what, who is evicted and why, who waits. It is what {@code check.py} compares without
 * {@code --strict}.
 */
final class ScheduleComparison {
  private ScheduleComparison() {}

  /** The asserted members of what a case expects. */
  static SortedMap<String, List<String>> expected(JsonNode asked) {
    SortedMap<String, List<String>> core = core(asked.get("expected"));
    List<String> asserted = CaseFields.texts(asked.path("asserted"));
    boolean waits = asserted.contains("pending") && asserted.contains("inadmissible");
    core.keySet()
        .removeIf(member -> !(member.equals("waiting") ? waits : asserted.contains(member)));
    return core;
  }

  /** The members of an answer that a case expects something of. */
  static SortedMap<String, List<String>> answered(
      JsonNode answer, SortedMap<String, List<String>> expected) {
    SortedMap<String, List<String>> core = core(answer);
    core.keySet().retainAll(expected.keySet());
    return core;
  }

  private static SortedMap<String, List<String>> core(JsonNode answer) {
    SortedMap<String, List<String>> core = new TreeMap<>();
    core.put("admitted", admissions(answer.path("admitted")));
    core.put("reassigned", admissions(answer.path("reassigned")));
    core.put("unchanged", names(answer.path("unchanged")));
    core.put("preempted", reasons(answer.path("preempted")));
    core.put("evicted", reasons(answer.path("evicted")));
    core.put("finished", names(answer.path("finished")));
    List<String> waiting = new ArrayList<>(names(answer.path("pending")));
    waiting.addAll(names(answer.path("inadmissible")));
    Collections.sort(waiting);
    core.put("waiting", waiting);
    return core;
  }

  private static List<String> names(JsonNode list) {
    List<String> names = new ArrayList<>();
    list.forEach(one -> names.add(one.isTextual() ? one.asText() : one.path("workload").asText()));
    Collections.sort(names);
    return names;
  }

  private static List<String> reasons(JsonNode list) {
    List<String> reasons = new ArrayList<>();
    list.forEach(
        one -> reasons.add(one.path("workload").asText() + " " + one.path("reason").asText()));
    Collections.sort(reasons);
    return reasons;
  }

  private static List<String> admissions(JsonNode list) {
    List<String> admissions = new ArrayList<>();
    for (JsonNode one : list) {
      List<String> podSets = new ArrayList<>();
      one.path("podSets").forEach(podSet -> podSets.add(podSet(podSet)));
      Collections.sort(podSets);
      admissions.add(
          "%s in %s %s%s"
              .formatted(
                  one.path("workload").asText(),
                  one.path("clusterQueue").asText(),
                  podSets,
                  one.path("admitted").asBoolean(true) ? "" : " unchecked"));
    }
    Collections.sort(admissions);
    return admissions;
  }

  private static String podSet(JsonNode podSet) {
    SortedMap<String, String> flavors = new TreeMap<>();
    podSet
        .path("flavors")
        .properties()
        .forEach(of -> flavors.put(of.getKey(), of.getValue().asText()));
    SortedMap<String, BigDecimal> usage = new TreeMap<>();
    podSet
        .path("resourceUsage")
        .properties()
        .forEach(
            of -> {
              BigDecimal amount = Quantities.exact(of.getValue().asText()).stripTrailingZeros();
              if (amount.signum() != 0) {
                usage.put(of.getKey(), amount);
              }
            });
    List<String> domains = new ArrayList<>();
    podSet
        .path("topologyAssignment")
        .path("domains")
        .forEach(at -> domains.add(at.path("values") + " " + at.path("count")));
    Collections.sort(domains);
    return "%s %s %s %s %s"
        .formatted(podSet.path("name").asText(), podSet.path("count"), flavors, usage, domains);
  }
}
