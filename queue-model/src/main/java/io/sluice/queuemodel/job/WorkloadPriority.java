// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

/**
 * The priority of a workload, and whether it consented to preemption.
 *
 * @param value higher is served first
 * @param preemptible consent to be evicted for higher-priority work in any queue; without it only
 *     the preemption policies of the preemptor's queue count
 */
public record WorkloadPriority(int value, boolean preemptible) {
  /** A priority with what is added to it; it may be beyond what a workload can have. */
  public static long boosted(int value, int boost) {
    return (long) value + boost;
  }
}
