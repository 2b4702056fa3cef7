// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.fleet;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How slices of one capacity type become available: by themselves, when sought, or not at all. A
 * fleet that says nothing of a type has all of its slices always.
 *
 * @param provisioned whether they are there without being sought; those that are not come when a
 *     job waits for them, and go when nobody uses them
 * @param grantAfter how long the provider takes to give what is sought; null: it never does
 * @param outOfStock whether the provider refuses whatever is sought
 */
public record Supply(
    CapacityType capacityType,
    boolean provisioned,
    @Nullable Duration grantAfter,
    boolean outOfStock) {}
