// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.flavor;

import io.sluice.queuemodel.quantity.ResourceName;

/**
 * How the flavor of one resource of a pod set was found.
 *
 * @param lastTried number within its group of the last flavor tried; {@link #ALL_TRIED} if that is
 *     the last of the group
 */
public record FlavorChoice(
    String podSet, ResourceName resource, AssignmentMode mode, int lastTried) {
  /** All flavors were tried: the next search begins with the first. */
  public static final int ALL_TRIED = -1;
}
