// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

import io.sluice.queuemodel.event.TopologyAssignment;

/** The pods of a flavor with their places. */
public record PlacedPods(String flavor, TopologyAssignment where) {}
