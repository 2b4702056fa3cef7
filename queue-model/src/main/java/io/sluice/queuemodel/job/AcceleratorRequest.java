// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.fleet.SliceTopology;

/**
 * Whole slices, all of one type and topology, all or none.
 *
 * @param type the generation's short name, as {@code v6e}
 * @param slices at least 1
 * @param hostsPerSlice at least 1; with the topology it tells the machine type
 */
public record AcceleratorRequest(
    String type, SliceTopology topology, int slices, int hostsPerSlice) {
  public AcceleratorRequest {
    if (slices < 1 || hostsPerSlice < 1) {
      throw new InvalidValueException("at least one slice of at least one host must be asked for");
    }
  }

  public long chips() {
    return Math.multiplyExact(topology.chips(), (long) slices);
  }

  /** As {@code 2 x v6e 4x4}. */
  @Override
  public String toString() {
    return slices + " x " + type + " " + topology;
  }
}
