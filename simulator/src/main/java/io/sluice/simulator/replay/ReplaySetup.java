// SPDX-License-Identifier: Apache-2.0
package io.sluice.simulator.replay;

/**
 * What a trace is replayed on.
 *
 * @param devices size of the one pool of devices
 * @param policy policy of every queue
 * @param estimates how time limits follow from the trace
 * @param teamQuota whether each team has a queue of its own, with nominal quota for its share of
 *     the device-time of the trace, and may borrow; else all jobs are in one queue
 */
public record ReplaySetup(
    int devices, ReplayPolicy policy, Estimates estimates, boolean teamQuota) {
  /** The largest number of devices. */
  public static final int DEVICES_MAX = 100_000_000;

  public ReplaySetup {
    if (devices < 1 || devices > DEVICES_MAX) {
      throw new IllegalArgumentException(
          "devices must be from 1 to " + DEVICES_MAX + ", not " + devices);
    }
  }
}
