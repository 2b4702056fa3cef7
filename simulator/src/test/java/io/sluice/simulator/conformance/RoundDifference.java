// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The difference between what Kueue decides in a case and what a round decides, with the rules that
 * may explain it. A rule explains a difference only if the difference has the form of the rule.
 */
enum RoundDifference {
  /** Kueue decides the same in later cycles, without any event in between. */
  LATER_CYCLES("later cycles") {
    @Override
    boolean explains(Decided decided) {
      return decided.round().equals(decided.cycles());
    }
  },
  /** The case asks for places for pods that hold quota; a round gives none. */
  NO_SECOND_PASS("no second pass") {
    @Override
    boolean explains(Decided decided) {
      return !decided.asked().path("action").path("secondPass").isEmpty()
          && evictions(decided.round()).equals(evictions(decided.kueue()));
    }
  },
  /** The case has variants of a workload; to a round they are workloads of their own. */
  NO_VARIANTS("no variants") {
    @Override
    boolean explains(Decided decided) {
      return decided.gate("ConcurrentAdmission");
    }
  },
  /**
   * A head found its victims taken by another head. It looks again in the next cycle of the round,
   * among all flavors, so more is evicted and the same is admitted.
   */
  OVERLAPPING_VICTIMS("overlapping victims") {
    @Override
    boolean explains(Decided decided) {
      return admissions(decided.round()).equals(admissions(decided.kueue()))
          && isMore(evictions(decided.round()), evictions(decided.kueue()));
    }
  },
  /** A preemptor holds a claim, and is admitted in the same round if its room is free already. */
  CLAIMS("claims") {
    @Override
    boolean explains(Decided decided) {
      SortedSet<String> more = new TreeSet<>(decided.admittedInRound());
      decided.asked().path("expected").path("admitted").forEach(one -> more.remove(workload(one)));
      List<String> preemptors = new ArrayList<>();
      decided
          .answer()
          .path("preempted")
          .forEach(one -> preemptors.add(one.path("preemptor").asText()));
      return isMore(admissions(decided.round()), admissions(decided.kueue()))
          && evictions(decided.round()).containsAll(evictions(decided.kueue()))
          && preemptors.containsAll(more);
    }
  },
  /** A head that may evict nobody makes way; capacity is not held back for it. */
  NO_RESERVATION("no reservation") {
    @Override
    boolean explains(Decided decided) {
      return isMore(admissions(decided.round()), admissions(decided.kueue()))
          && evictions(decided.round()).equals(evictions(decided.kueue()));
    }
  };

  /**
   * A case with its answers.
   *
   * @param asked the case
   * @param answer what a round answers
   * @param kueue what the case expects, in comparable form
   * @param round what a round decides, in comparable form
   * @param cycles what isolated cycles decide until they decide nothing more
   */
  record Decided(
      JsonNode asked,
      JsonNode answer,
      SortedMap<String, List<String>> kueue,
      SortedMap<String, List<String>> round,
      SortedMap<String, List<String>> cycles) {
    boolean gate(String name) {
      return asked.path("config").path("featureGates").path(name).asBoolean();
    }

    SortedSet<String> admittedInRound() {
      SortedSet<String> admitted = new TreeSet<>();
      answer.path("admitted").forEach(one -> admitted.add(workload(one)));
      return admitted;
    }
  }

  private final String title;

  RoundDifference(String title) {
    this.title = title;
  }

  /** The name of the rule in the documentation. */
  String title() {
    return title;
  }

  /** Whether a difference has the form of the rule. */
  abstract boolean explains(Decided decided);

  private static String workload(JsonNode one) {
    return one.path("workload").asText();
  }

  private static List<String> admissions(SortedMap<String, List<String>> decided) {
    return decided.getOrDefault("admitted", List.of());
  }

  private static List<String> evictions(SortedMap<String, List<String>> decided) {
    return decided.getOrDefault("evicted", List.of());
  }

  private static boolean isMore(List<String> all, List<String> part) {
    return all.size() > part.size() && all.containsAll(part);
  }
}
