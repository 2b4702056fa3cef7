// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

/**
 * Pods for which there is no place, and why.
 *
 * @param flavor empty until that is known
 * @param fit how many pods have one, at best; of bundles of pods, how many bundles
 * @param wanted how many were to have one, in the same unit
 */
public record Unplaced(String podSet, String flavor, Reason reason, int fit, int wanted) {
  /** Why. */
  enum Reason {
    /** Others take the room, or the hosts that would do are too few or too small. */
    NO_ROOM,
    /** The topology has no level of the label that is named. */
    NO_SUCH_LEVEL,
    /** It was not said how close together they must be. */
    NO_LEVEL_ASKED,
    /** How many pods belong together was not said. */
    LAYER_WITHOUT_SIZE,
    /** A layer is not below the one that it divides. */
    LAYER_TOO_WIDE,
    /** A layer's size does not divide that of the layer above it, or the number of pods. */
    LAYERS_DO_NOT_DIVIDE,
    /** It has pods on hosts that are gone, so one host alone cannot be replaced. */
    STALE
  }

  static Unplaced noRoom(String podSet, int fit, int wanted) {
    return new Unplaced(podSet, "", Reason.NO_ROOM, fit, wanted);
  }

  static Unplaced of(String podSet, Reason reason) {
    return new Unplaced(podSet, "", reason, 0, 0);
  }

  Unplaced in(String ofFlavor) {
    return new Unplaced(podSet, ofFlavor, reason, fit, wanted);
  }
}
