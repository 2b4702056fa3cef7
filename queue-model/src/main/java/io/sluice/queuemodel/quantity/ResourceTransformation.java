// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quantity;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A rule that converts a requested resource to others, as in Kueue's configuration.
 *
 * @param input the resource that is requested
 * @param retains whether it counts as itself, too
 * @param multiplyBy a resource by whose requested amount that of the input is multiplied first, if
 *     it is requested; null: none
 * @param outputs what one of the input counts as, none of them negative
 */
public record ResourceTransformation(
    ResourceName input,
    boolean retains,
    @Nullable ResourceName multiplyBy,
    SortedMap<ResourceName, BigDecimal> outputs) {
  public ResourceTransformation {
    outputs = Collections.unmodifiableSortedMap(new TreeMap<>(outputs));
  }
}
