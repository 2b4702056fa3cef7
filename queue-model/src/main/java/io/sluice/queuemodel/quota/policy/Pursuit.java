// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a job seeks the rungs of its class: in order or together, and when it moves up.
 *
 * @param order whether one after another, or all that are open
 * @param restart what it costs to move a running attempt to a better rung, in time for which the
 *     chips do nothing; null: none is moved
 */
public record Pursuit(Order order, @Nullable Duration restart) {
  /** One after another, and who runs stays where it is. */
  public static final Pursuit USUAL = new Pursuit(Order.IN_ORDER, null);

  /** What a restart costs where nothing is said. */
  public static final Duration RESTART = Duration.ofMinutes(5);

  /** In which order capacity is sought. */
  public enum Order {
    /** The next rung when the one before it has closed. */
    IN_ORDER("in-order"),
    /** All open rungs at once; what comes first is taken. */
    TOGETHER("together");

    private final String word;

    Order(String word) {
      this.word = word;
    }

    /** The word in manifests. */
    public String word() {
      return word;
    }

    /** All of them, the usual first. */
    public static List<Order> all() {
      return List.of(values());
    }
  }

  /** Whether all open rungs are sought at once. */
  public boolean together() {
    return order == Order.TOGETHER;
  }
}
