// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.options;

import java.util.Set;

/** Tells states of live jobs and runs from states of ended ones. */
public final class LifeState {
  private static final Set<String> ENDED = Set.of("SUCCEEDED", "FAILED", "CANCELLED", "SKIPPED");

  private LifeState() {}

  /** Whether a job or a run in that state has not ended. */
  public static boolean live(String state) {
    return !ENDED.contains(state);
  }
}
