// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import java.time.Instant;

/**
 * A hold that keeps a job from being admitted until its release.
 *
 * @param by caller who holds the job
 * @param since time of the round that recorded it
 */
public record Hold(String by, Instant since) {
  /** Holder of quarantined jobs; no caller has such a name. */
  public static final String QUARANTINE = "sluice:quarantine";

  /** Returns whether the engine set the hold, because the job lost its hosts too often. */
  public boolean quarantine() {
    return by.equals(QUARANTINE);
  }
}
