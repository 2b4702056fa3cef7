// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

import io.sluice.queuemodel.quota.policy.Queueing;

/**
 * What a trace is replayed on.
 *
 * @param devices size of the one pool of devices
 * @param policy policy of every queue
 * @param estimates how time limits follow from the trace
 * @param teamQuota whether each team has a queue of its own, with nominal quota for its share of
 *     the device-time of the trace, and may borrow; else all jobs are in one queue
 * @param planned depth and ranking of planned queues; without effect unless the policy is {@link
 *     ReplayPolicy#PLANNED}
 */
public record ReplaySetup(
    int devices, ReplayPolicy policy, Estimates estimates, boolean teamQuota, Queueing planned) {
  /** The largest number of devices. */
  public static final int DEVICES_MAX = 100_000_000;

  /** What this product does by default in planned queues. */
  public static final Queueing DEFAULT_PLANNED = Queueing.planned(1);

  /** Creates a setup whose planned queues have the default depth and ranking. */
  public ReplaySetup(int devices, ReplayPolicy policy, Estimates estimates, boolean teamQuota) {
    this(devices, policy, estimates, teamQuota, DEFAULT_PLANNED);
  }

  public ReplaySetup {
    if (devices < 1 || devices > DEVICES_MAX) {
      throw new IllegalArgumentException(
          "devices must be from 1 to " + DEVICES_MAX + ", not " + devices);
    }
  }
}
