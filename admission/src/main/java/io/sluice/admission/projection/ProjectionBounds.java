// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.projection;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * What bounds a projection. One that exceeds a bound other than the horizon is truncated.
 *
 * @param horizon longest virtual time
 * @param roundsMax maximum number of rounds
 * @param eventsMax approximate maximum number of decided events, which bounds memory
 * @param goOn asked before each round; once it returns false, the projection stops
 */
public record ProjectionBounds(
    Duration horizon, int roundsMax, long eventsMax, BooleanSupplier goOn) {
  /** Default maximum number of rounds. */
  public static final int ROUNDS_MAX = 50_000;

  /** Default maximum number of events. */
  public static final long EVENTS_MAX = 1_000_000;

  /** Creates bounds with the default numbers of rounds and events. */
  public static ProjectionBounds of(Duration horizon, BooleanSupplier goOn) {
    return new ProjectionBounds(horizon, ROUNDS_MAX, EVENTS_MAX, goOn);
  }
}
