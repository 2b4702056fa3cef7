// SPDX-License-Identifier: Apache-2.0
package io.sluice.admission.state.record;

import java.time.Instant;

/**
 * That nothing of a job is admitted until it is released.
 *
 * @param by who held it
 * @param since time of the round that recorded it
 */
public record Hold(String by, Instant since) {
  /** Holds jobs whose hosts are lost again and again; no caller has a name like it. */
  public static final String QUARANTINE = "sluice:quarantine";

  /** Whether nobody asked for it: the hosts of the job were lost too often. */
  public boolean quarantine() {
    return by.equals(QUARANTINE);
  }
}
