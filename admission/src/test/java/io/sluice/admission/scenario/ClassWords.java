// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.scenario;

import io.sluice.computeclasses.NodeLabels;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.fleet.CapacityType;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.ComputeClass.WhenUnsatisfiable;
import io.sluice.queuemodel.quota.Rung;
import io.sluice.queuemodel.quota.policy.Pursuit;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The line that sets up a compute class. */
final class ClassWords {
  private ClassWords() {}

  /** The node labels of capacity of a type. */
  static Labels labels(CapacityType type, String reservation) {
    return switch (type) {
      case SPOT -> Labels.of(Map.of(NodeLabels.SPOT, "true"));
      case FLEX_START -> Labels.of(Map.of(NodeLabels.FLEX_START, "true"));
      case RESERVATION -> Labels.of(Map.of(NodeLabels.RESERVATION, reservation));
      case ON_DEMAND -> Labels.NONE;
    };
  }

  /**
   * {@code ladder spot 5m / flex-start 1h cool 10m max 168h / reservation R [anyway] [together]
   * [moving 5m]}.
   */
  static ComputeClass read(Words words) {
    String name = words.next();
    List<Rung> rungs = new ArrayList<>();
    WhenUnsatisfiable otherwise = WhenUnsatisfiable.DO_NOT_SCALE_UP;
    Pursuit.Order order = Pursuit.Order.IN_ORDER;
    Duration restart = null;
    rungs.add(rung(words));
    while (words.more()) {
      if (words.accept("/")) {
        rungs.add(rung(words));
      } else if (words.accept("anyway")) {
        otherwise = WhenUnsatisfiable.SCALE_UP_ANYWAY;
      } else if (words.accept("together")) {
        order = Pursuit.Order.TOGETHER;
      } else if (words.accept("moving")) {
        restart = Objects.requireNonNullElse(duration(words), Pursuit.RESTART);
      } else {
        throw new IllegalArgumentException("cannot read: " + words.rest());
      }
    }
    return new ComputeClass(
        ObjectMeta.named(name), rungs, otherwise, new Pursuit(order, restart), Labels.NONE);
  }

  private static Rung rung(Words words) {
    CapacityType type = ObjectWords.capacityType(words.next());
    TreeMap<String, List<String>> selector = new TreeMap<>();
    if (type == CapacityType.RESERVATION) {
      selector.put(NodeLabels.RESERVATION, List.of(words.next()));
    }
    Duration deadline = duration(words);
    Duration coolDown = words.accept("cool") ? duration(words) : null;
    Duration maxRun = words.accept("max") ? duration(words) : null;
    String price = words.accept("price") ? words.next() : null;
    Rung.Terms usual = Rung.Terms.of(type);
    Rung.Terms terms =
        new Rung.Terms(
            deadline == null ? usual.deadline() : deadline,
            coolDown == null ? usual.coolDown() : coolDown,
            price == null ? null : new BigDecimal(price));
    return new Rung(type, selector, null, terms, maxRun, Labels.NONE);
  }

  /** A duration if the next word is one. */
  private static @Nullable Duration duration(Words words) {
    String word = words.peek();
    return word != null && Character.isDigit(word.charAt(0))
        ? Duration.parse("PT" + words.next().toUpperCase(Locale.ROOT))
        : null;
  }
}
