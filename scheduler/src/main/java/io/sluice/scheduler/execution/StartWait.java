// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution;

import org.jspecify.annotations.Nullable;

/**
 * Why an attempt does not start, run or end as it should.
 *
 * @param blocker null: only its own progress, such as pods that have not started yet
 * @param sentence for people
 */
public record StartWait(@Nullable StartBlocker blocker, String sentence) {
  /** Creates a wait that ends without intervention. */
  public static StartWait of(String sentence) {
    return new StartWait(null, sentence);
  }
}
