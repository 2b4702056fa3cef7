// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.fault;

import java.time.Instant;

/**
 * One entry of a run's timeline.
 *
 * @param at in virtual time, by a clock that is always right
 */
public record Moment(Instant at, String what) {
  @Override
  public String toString() {
    return at + " " + what;
  }
}
