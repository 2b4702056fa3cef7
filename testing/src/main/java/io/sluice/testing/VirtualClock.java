// SPDX-License-Identifier: Apache-2.0
package io.sluice.testing;

import java.time.Duration;
import java.time.Instant;

/** A clock for tests that moves only when told to. */
public final class VirtualClock {
  /** Where it begins. */
  public static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private Instant now = BEGIN;

  public Instant now() {
    return now;
  }

  public void advance(Duration by) {
    now = now.plus(by);
  }
}
