// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.quantity.ResourceName;

/**
 * How the flavor of one resource of a pod set was found.
 *
 * @param lastTried number of the flavor in its group that was looked at last; {@link #ALL_TRIED} if
 *     the last of the group was
 */
public record FlavorChoice(
    String podSet, ResourceName resource, AssignmentMode mode, int lastTried) {
  /** Nothing is left to look at: the next search begins with the first. */
  public static final int ALL_TRIED = -1;
}
