// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.computeclasses.NodeLabels;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.ComputeClass.WhenUnsatisfiable;
import io.sluice.queuemodel.quota.Rung;
import io.sluice.queuemodel.quota.policy.Pursuit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compute classes of any rungs. */
final class RandomLadders {
  private RandomLadders() {}

  /** A class of any rungs, with times that come within a few rounds. */
  static Input any(SplittableRandom random, String name) {
    List<Rung> rungs = new ArrayList<>();
    List<String> terms = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int number = 0; number < count; number++) {
      CapacityType type =
          pick(
              random,
              CapacityType.SPOT,
              CapacityType.SPOT,
              CapacityType.FLEX_START,
              CapacityType.ON_DEMAND,
              CapacityType.RESERVATION);
      int deadlineSeconds = 1 + random.nextInt(12);
      int coolDownSeconds = 1 + random.nextInt(12);
      Duration maxRun =
          type == CapacityType.FLEX_START || random.nextInt(4) == 0
              ? Duration.ofSeconds(2 + random.nextInt(20))
              : null;
      terms.add("{deadline: %ds, coolDown: %ds}".formatted(deadlineSeconds, coolDownSeconds));
      rungs.add(
          new Rung(
              type,
              type == CapacityType.RESERVATION
                  ? new TreeMap<>(Map.of(NodeLabels.RESERVATION, List.of("r")))
                  : new TreeMap<>(),
              null,
              new Rung.Terms(
                  Duration.ofSeconds(deadlineSeconds), Duration.ofSeconds(coolDownSeconds), null),
              maxRun,
              asWritten(type, maxRun)));
    }
    Pursuit.Order order = pick(random, Pursuit.Order.values());
    return set(name, rungs, terms, order, pick(random, WhenUnsatisfiable.values()));
  }

  /** As a manifest would have made it, so that it can be stored as one. */
  private static Input set(
      String name,
      List<Rung> rungs,
      List<String> terms,
      Pursuit.Order order,
      WhenUnsatisfiable otherwise) {
    ObjectMeta meta =
        new ObjectMeta(
            "",
            name,
            Labels.NONE,
            Labels.of(
                Map.of(
                    ComputeClass.RUNGS_ANNOTATION,
                    terms.toString(),
                    ComputeClass.PURSUE_ANNOTATION,
                    order.word())));
    return new Input.SetObject(
        new ComputeClass(meta, rungs, otherwise, new Pursuit(order, null), Labels.NONE), 1);
  }

  private static Labels asWritten(CapacityType type, @Nullable Duration maxRun) {
    TreeMap<String, String> written = new TreeMap<>();
    switch (type) {
      case SPOT -> written.put("spot", "true");
      case FLEX_START -> written.put("flexStart", "{\"enabled\":true}");
      case RESERVATION ->
          written.put(
              "reservations", "{\"affinity\":\"Specific\",\"specific\":[{\"name\":\"r\"}]}");
      case ON_DEMAND -> {
        // What is of no other type.
      }
    }
    if (maxRun != null) {
      written.put("maxRunDurationSeconds", String.valueOf(maxRun.toSeconds()));
    }
    return Labels.of(written);
  }

  @SafeVarargs
  private static <T> T pick(SplittableRandom random, T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
