// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.pipeline;

import java.time.Duration;

/**
 * What becomes of the jobs of a run that will be late: they count as queued as much earlier as it
 * is expected to be late, among jobs of their priority.
 *
 * @param from how it must stand to its deadline for that
 * @param headStartMax how much earlier they count at most
 */
public record WhenLate(Standing from, Duration headStartMax) {
  /** What a head start may be at most, whatever a pipeline says. */
  public static final Duration MAX = Duration.ofHours(24);

  /** How a run stands to its deadline. */
  public enum Standing {
    /** If its steps take as long as the slower ones before. */
    MAY_BE_LATE("MayBeLate"),
    /** Even if its steps take no longer than the faster ones before; or its deadline has passed. */
    WILL_BE_LATE("WillBeLate");

    private final String word;

    Standing(String word) {
      this.word = word;
    }

    /** As it is written in a manifest. */
    public String word() {
      return word;
    }
  }
}
