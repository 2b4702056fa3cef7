// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

/** Whether a slice of the fleet can be used. */
public enum SliceCondition {
  /** The fleet names it, and its provider has not given it. */
  ABSENT,
  /** It can be given to an attempt. */
  READY,
  /** Its provider takes it back, or took it while an attempt on it drains; nobody is given it. */
  LEAVING
}
