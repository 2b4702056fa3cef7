// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import org.jspecify.annotations.Nullable;

/**
 * The reason why an attempt that was admitted, runs or is told to end does not come on.
 *
 * @param blocker null: nothing but its own progress, as pods that have not started yet
 * @param sentence for people
 */
public record StartWait(@Nullable StartBlocker blocker, String sentence) {
  /** One that ends by itself. */
  public static StartWait of(String sentence) {
    return new StartWait(null, sentence);
  }
}
