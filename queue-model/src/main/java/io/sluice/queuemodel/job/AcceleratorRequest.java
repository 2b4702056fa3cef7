// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.SliceTopology;

/**
 * Whole slices, all of one type and topology, as many as are given or none.
 *
 * @param type the generation's short name, as {@code v6e}
 * @param slices how many
 * @param hostsPerSlice at least 1; with the topology it tells the machine type
 */
public record AcceleratorRequest(
    String type, SliceTopology topology, SliceRange slices, int hostsPerSlice) {
  public AcceleratorRequest {
    if (hostsPerSlice < 1) {
      throw new InvalidValueException("slices of at least one host must be asked for");
    }
  }

  /** Just so many slices. */
  public AcceleratorRequest(String type, SliceTopology topology, int slices, int hostsPerSlice) {
    this(type, topology, SliceRange.exactly(slices), hostsPerSlice);
  }

  public boolean elastic() {
    return slices.elastic();
  }

  /** The chips of the most slices. */
  public long chips() {
    return Math.multiplyExact(topology.chips(), (long) slices.max());
  }

  /** As {@code 2 x v6e 4x4}, or {@code 1..4 x v6e 4x4}. */
  @Override
  public String toString() {
    return slices + " x " + type + " " + topology;
  }
}
