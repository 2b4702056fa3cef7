// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.quantity.ResourceList;

/**
 * Amounts of the resources of a ResourceFlavor.
 *
 * @param amounts empty: everything that the flavor has
 */
public record FlavorAmounts(String flavor, ResourceList amounts) {}
