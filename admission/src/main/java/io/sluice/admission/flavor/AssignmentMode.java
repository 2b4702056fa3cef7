// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

/** What must happen before an assignment can be given, from worst to best. */
public enum AssignmentMode {
  /** Quota, slices or the flavors themselves do not allow it. */
  NO_FIT,
  /** There would be room if others were evicted; whether they may be is another question. */
  PREEMPT,
  /** There is room, perhaps borrowed. */
  FIT
}
