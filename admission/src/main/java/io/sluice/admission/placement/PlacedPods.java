// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.queuemodel.event.TopologyAssignment;

/** Pods of a flavor, and where they are. */
public record PlacedPods(String flavor, TopologyAssignment where) {}
