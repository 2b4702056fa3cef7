// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How a run stands to its deadline, from the best to the worst. */
public enum Lateness {
  IN_TIME,
  /** If its steps take as long as the slower ones before. */
  MAY_BE_LATE,
  /** Even if its steps take no longer than the faster ones before. */
  WILL_BE_LATE,
  LATE;

  /**
   * How a run stands that has not ended.
   *
   * @param expected null: nobody can tell
   * @return null: nobody can tell
   */
  static @Nullable Lateness of(Instant deadline, @Nullable ExpectedFinish expected, Instant now) {
    if (now.isAfter(deadline)) {
      return LATE;
    }
    if (expected == null) {
      return null;
    }
    if (expected.earliest().isAfter(deadline)) {
      return WILL_BE_LATE;
    }
    return expected.latest().isAfter(deadline) ? MAY_BE_LATE : IN_TIME;
  }
}
