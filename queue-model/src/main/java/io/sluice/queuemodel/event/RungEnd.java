// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

/** Why a rung closed. */
public enum RungEnd {
  /** Its capacity did not come in time. */
  DEADLINE,
  /** Its provider has none. */
  OUT_OF_STOCK,
  /** Capacity came twice when there was no quota to use it with. */
  GRANTS_WITHOUT_QUOTA
}
