// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.policy;

import java.time.Duration;

/**
 * What the latest end of an attempt allows for, beyond its limits.
 *
 * @param lateStart whether an attempt that has not started may start at its start deadline; else it
 *     counts as started at its admission
 * @param drain time for its processes to disappear after they are killed
 */
public record EndAllowances(boolean lateStart, Duration drain) {
  /** The allowances of a server. */
  public static final EndAllowances DEFAULT = new EndAllowances(true, Duration.ofMinutes(5));

  /** No allowances, for a simulation in which attempts start and end in time. */
  public static final EndAllowances NONE = new EndAllowances(false, Duration.ZERO);
}
