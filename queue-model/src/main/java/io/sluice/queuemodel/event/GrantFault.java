// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

/** The reason why a provider's grant of slices was refused. */
public enum GrantFault {
  /** The fleet has no such slices. */
  NOT_OF_FLEET,
  /** They were there before. */
  ALREADY_THERE,
  /** Nobody seeks such slices for that rung, or could have until just before. */
  NOT_SOUGHT
}
