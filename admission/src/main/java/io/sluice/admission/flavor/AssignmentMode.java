// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

/** What an assignment requires before it can be made, from worst to best. */
public enum AssignmentMode {
  /** Quota, slices or the flavors do not permit it. */
  NO_FIT,
  /** It needs room that is in use. Whether preemption is permitted is decided elsewhere. */
  PREEMPT,
  /** There is room, possibly borrowed. */
  FIT
}
