// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import io.sluice.manifests.field.DurationNotation;
import io.sluice.manifests.field.ObjectCursor;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.policy.Pursuit;
import java.time.Duration;
import java.util.stream.Collectors;

/** Reads the annotations of a ComputeClass about the pursuit of its rungs. */
final class PursuitReader {
  private static final Duration RESTART_MAX = Duration.ofDays(7);

  private PursuitReader() {}

  /**
   * How they are.
   *
   * @param movesUp whether running attempts move to better rungs
   */
  static Pursuit read(ObjectCursor top, ObjectMeta meta, boolean movesUp) {
    Duration restart = restart(top, meta);
    return new Pursuit(order(top, meta), movesUp ? restart : null);
  }

  private static Pursuit.Order order(ObjectCursor top, ObjectMeta meta) {
    String text = meta.annotations().get(ComputeClass.PURSUE_ANNOTATION);
    if (text == null) {
      return Pursuit.Order.IN_ORDER;
    }
    for (Pursuit.Order order : Pursuit.Order.all()) {
      if (order.word().equals(text)) {
        return order;
      }
    }
    String words =
        Pursuit.Order.all().stream().map(Pursuit.Order::word).collect(Collectors.joining(", "));
    refuse(top, ComputeClass.PURSUE_ANNOTATION, text, "must be one of " + words);
    return Pursuit.Order.IN_ORDER;
  }

  private static Duration restart(ObjectCursor top, ObjectMeta meta) {
    String text = meta.annotations().get(ComputeClass.RESTART_ANNOTATION);
    if (text == null) {
      return Pursuit.RESTART;
    }
    try {
      Duration restart = DurationNotation.parse(text);
      if (!restart.isNegative() && restart.compareTo(RESTART_MAX) <= 0) {
        return restart;
      }
      refuse(
          top,
          ComputeClass.RESTART_ANNOTATION,
          text,
          "must be between 0s and " + DurationNotation.format(RESTART_MAX));
    } catch (InvalidValueException invalid) {
      refuse(top, ComputeClass.RESTART_ANNOTATION, text, String.valueOf(invalid.getMessage()));
    }
    return Pursuit.RESTART;
  }

  private static void refuse(ObjectCursor top, String annotation, String text, String why) {
    top.violations().add(top.path("metadata").field("annotations").key(annotation), text, why);
  }
}
