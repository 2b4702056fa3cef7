// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.quantity.ResourceName;
import org.jspecify.annotations.Nullable;

/**
 * Quota of one resource in one flavor, in the resource's counted unit.
 *
 * @param borrowingLimit most that may be used above nominal; null: no limit
 * @param lendingLimit most of the unused nominal quota that others may use; null: all of it
 */
public record ResourceQuota(
    ResourceName resource,
    long nominal,
    @Nullable Long borrowingLimit,
    @Nullable Long lendingLimit) {
  public ResourceQuota {
    if (nominal < 0
        || (borrowingLimit != null && borrowingLimit < 0)
        || (lendingLimit != null && lendingLimit < 0)) {
      throw new InvalidValueException("quota of " + resource + " must not be negative");
    }
  }

  public static ResourceQuota nominal(ResourceName resource, long nominal) {
    return new ResourceQuota(resource, nominal, null, null);
  }
}
