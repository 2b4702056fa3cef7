// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

/** What evicting others could do for a workload, from worst to best. */
public enum Possibility {
  /** Nobody whom it may evict would make enough room. */
  NO_CANDIDATES,
  /** There are victims, some of them in its own queue. */
  PREEMPT,
  /** There are victims, all of them in other queues. */
  RECLAIM
}
