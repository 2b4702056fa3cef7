// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator;

import java.time.Duration;

/**
 * The behaviour of simulated attempts: maximum times, and percentages of failures.
 *
 * @param startMax longest time until all processes are there
 * @param runMax longest time from there to the end
 * @param failingPercent how many fail of themselves
 * @param deafPercent how many do not hear SIGTERM and last for their whole grace period
 */
record RunProfile(Duration startMax, Duration runMax, int failingPercent, int deafPercent) {
  /** Short runs, of which some fail. */
  public static final RunProfile USUAL =
      new RunProfile(Duration.ofSeconds(3), Duration.ofSeconds(20), 15, 20);
}
