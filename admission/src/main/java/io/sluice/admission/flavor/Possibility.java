// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

/** What preemption could do for a workload, from worst to best. */
public enum Possibility {
  /** The attempts that it may preempt would not free enough room. */
  NO_CANDIDATES,
  /** There are victims, some of them in its own queue. */
  PREEMPT,
  /** There are victims, all of them in other queues. */
  RECLAIM
}
