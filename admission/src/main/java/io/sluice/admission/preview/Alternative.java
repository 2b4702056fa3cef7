// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.preview;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A change of a waiting job itself with which the engine would admit it now. */
public sealed interface Alternative {
  /**
   * The job with a shorter time limit: it would end before the planned starts in its way.
   *
   * @param limit the longest one that was found to suffice
   */
  record ShorterLimit(Duration limit) implements Alternative {}

  /**
   * The job submitted anew with fewer slices.
   *
   * @param slices the most that were found to start
   */
  record FewerSlices(int slices) implements Alternative {}

  /**
   * The job submitted anew with another compute class, whose rungs have room.
   *
   * @param className null: without a class, on any flavor of its queue
   */
  record OtherComputeClass(@Nullable String className) implements Alternative {}

  /**
   * The job with another priority class.
   *
   * @param className the class with the lowest value that was found to suffice
   * @param value its value
   */
  record HigherPriority(String className, int value) implements Alternative {}
}
