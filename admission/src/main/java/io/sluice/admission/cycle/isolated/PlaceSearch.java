// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.cycle.isolated;

import io.sluice.admission.decision.Decisions;
import io.sluice.admission.flavor.PodPlacing;
import io.sluice.admission.placement.PlacedPods;
import io.sluice.admission.placement.Placement.Places;
import io.sluice.admission.placement.PodsToPlace;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.Attempt;
import io.sluice.admission.state.usage.Usage;
import io.sluice.queuemodel.event.Drain;
import io.sluice.queuemodel.event.DrainCause;
import io.sluice.queuemodel.event.Event;
import io.sluice.queuemodel.event.PodSetAssignment;
import io.sluice.queuemodel.event.TopologyAssignment;
import io.sluice.queuemodel.event.TopologyAssignment.Domain;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Places pods of attempts that already hold quota, before all heads. If the policy fails fast, it
 * evicts an attempt that lost a host and finds no replacement.
 */
final class PlaceSearch {
  /** A second pass with the places found for it, before any is served. */
  private record Nominated(SecondPass pass, Places places) {}

  private final Decisions decisions;
  private final AdmissionState state;
  private final List<Nominated> nominated = new ArrayList<>();

  PlaceSearch(Decisions decisions) {
    this.decisions = decisions;
    this.state = decisions.state();
  }

  /** Finds places for all passes against the same state. */
  void nominate(List<SecondPass> passes) {
    for (SecondPass pass : passes) {
      Attempt attempt = state.findAttempt(pass.attempt());
      if (attempt != null && !attempt.draining()) {
        nominated.add(new Nominated(pass, find(pass, attempt)));
      }
    }
  }

  private Places find(SecondPass pass, Attempt attempt) {
    return PodPlacing.find(state, wanted(pass, attempt), state.ledger().nodes(), pass.lost());
  }

  /** Returns the pods without places, and those that lost places. */
  private SortedMap<String, List<PodsToPlace>> wanted(SecondPass pass, Attempt attempt) {
    SortedMap<String, List<PodsToPlace>> byFlavor = new TreeMap<>();
    for (PodSetAssignment given : attempt.assignment().podSets()) {
      TopologyAssignment where = given.topology();
      boolean looks =
          where == null
              ? given.delay() != null
              : where.domains().stream().anyMatch(domain -> pass.lost().contains(domain.lowest()));
      String flavor = state.topologies().flavorOf(given);
      if (looks && flavor != null && given.count() > 0) {
        pass.podSets().stream()
            .filter(podSet -> podSet.name().equals(given.name()))
            .map(podSet -> podSet.withCount(given.count()))
            .forEach(
                podSet ->
                    byFlavor
                        .computeIfAbsent(flavor, absent -> new ArrayList<>())
                        .add(
                            new PodsToPlace(
                                podSet, podSet.topology() == null, pass.stays(), where)));
      }
    }
    return byFlavor;
  }

  /** Serves the nominated second passes. */
  void serve(CycleRoom room) {
    for (Nominated one : nominated) {
      Attempt attempt = state.findAttempt(one.pass().attempt());
      if (attempt != null && !attempt.draining()) {
        serve(one, attempt, room);
      }
    }
  }

  private void serve(Nominated one, Attempt attempt, CycleRoom room) {
    List<PodSetAssignment> placed = placed(attempt, one.places());
    if (placed != null && !fits(attempt, placed) && state.policy().placement().recomputes()) {
      placed = placed(attempt, find(one.pass(), attempt));
    }
    if (placed != null && fits(attempt, placed)) {
      Usage left = left(attempt, one.pass().lost());
      decisions.record(new Event.PodsPlaced(attempt.key(), placed));
      room.promise(left);
    } else if (!one.pass().lost().isEmpty() && state.policy().placement().failsFast()) {
      decisions.record(new Event.AttemptDraining(attempt.key(), Drain.of(DrainCause.HOST_LOST)));
    }
  }

  /** Returns what the pods use on lost hosts, where they may still run. */
  private static Usage left(Attempt attempt, SortedSet<String> lost) {
    List<PlacedPods> left = new ArrayList<>();
    for (PlacedPods pods : attempt.usage().placed()) {
      List<Domain> domains = new ArrayList<>(pods.where().domains());
      domains.removeIf(domain -> !lost.contains(domain.lowest()));
      left.add(
          new PlacedPods(
              pods.flavor(),
              new TopologyAssignment(pods.where().levels(), domains, pods.where().perPod())));
    }
    return attempt.usage().withoutAmounts().placed(left);
  }

  /** Returns the attempt's pod sets in their new places; null if some pods have no places. */
  private static @Nullable List<PodSetAssignment> placed(Attempt attempt, Places places) {
    if (places.unplaced() != null || places.byPodSet().isEmpty()) {
      return null;
    }
    return places.given(attempt.assignment().podSets());
  }

  /** Returns whether the pods still fit in their new places. */
  private boolean fits(Attempt attempt, List<PodSetAssignment> placed) {
    List<PlacedPods> before = attempt.usage().placed();
    List<PlacedPods> after = state.topologies().placed(placed);
    return state.ledger().nodes().stream()
        .allMatch(
            nodes -> {
              before.forEach(pods -> nodes.count(pods, -1));
              boolean fits = attempt.usage().placed(after).fitsNodes(nodes);
              before.forEach(pods -> nodes.count(pods, 1));
              return fits;
            });
  }
}
