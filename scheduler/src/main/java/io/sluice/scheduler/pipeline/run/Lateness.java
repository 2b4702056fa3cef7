// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The outlook of a run on its deadline, from the best to the worst. */
public enum Lateness {
  IN_TIME,
  /** Late if its steps take as long as the slower ones of earlier runs. */
  MAY_BE_LATE,
  /** Late even if its steps take no longer than the faster ones of earlier runs. */
  WILL_BE_LATE,
  LATE;

  /**
   * The outlook of a run that has not ended.
   *
   * @param expected null: unknown
   * @return null: unknown
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
