// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.watching;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A time that passes by pauses only, without waiting. */
public final class ShortTime implements Timing {
  private final List<Duration> pauses = new ArrayList<>();
  private long nanos;

  @Override
  public long nanos() {
    return nanos;
  }

  @Override
  public void sleep(Duration pause) {
    pauses.add(pause);
    nanos += pause.toNanos();
  }

  /** Returns the pauses so far. */
  public List<Duration> pauses() {
    return List.copyOf(pauses);
  }
}
