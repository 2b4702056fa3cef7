// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.placement;

/**
 * Pods without places, with the reason.
 *
 * @param flavor empty until it is known
 * @param fit largest number of pods, or of bundles, that fit
 * @param wanted number requested, in the same unit
 */
public record Unplaced(String podSet, String flavor, Reason reason, int fit, int wanted) {
  /** Why pods have no places. */
  enum Reason {
    /** Other work uses the room, or suitable hosts are too few or too small. */
    NO_ROOM,
    /** The topology has no level of the named label. */
    NO_SUCH_LEVEL,
    /** The request names no level. */
    NO_LEVEL_ASKED,
    /** A layer has no size. */
    LAYER_WITHOUT_SIZE,
    /** A layer is not below the one that it divides. */
    LAYER_TOO_WIDE,
    /** A layer's size does not divide that of the layer above it, or the number of pods. */
    LAYERS_DO_NOT_DIVIDE,
    /** Other pods are on hosts that no longer exist, so one host alone cannot be replaced. */
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
