// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The topology request of a pod set: how close together its pods must be.
 *
 * @param required the level of which one domain must hold all pods; null: none must
 * @param preferred the level of which one domain had better hold all pods; null: none
 * @param unconstrained whether they may be anywhere, as long as they are placed
 * @param layers groups of pods that must each be in one domain of a level, from the widest level to
 *     the narrowest
 */
public record TopologyRequest(
    @Nullable String required,
    @Nullable String preferred,
    boolean unconstrained,
    List<Layer> layers) {
  public TopologyRequest {
    layers = List.copyOf(layers);
  }

  /**
   * So many pods at a time are in one domain of a level: Kueue's pod set slice.
   *
   * @param size how many; 0 if that was not said
   */
  public record Layer(String level, int size) {}

  /** Whether only groups of pods are held together, and the groups may be anywhere. */
  public boolean onlyLayers() {
    return required == null && preferred == null && !layers.isEmpty();
  }
}
