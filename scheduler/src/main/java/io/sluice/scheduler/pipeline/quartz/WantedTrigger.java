// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.quartz;

import java.util.Comparator;

/**
 * A trigger to create in Quartz: it fires at the times of a line.
 *
 * @param line in Quartz's format
 * @param timeZone an IANA time zone
 */
public record WantedTrigger(String line, String timeZone) implements Comparable<WantedTrigger> {
  private static final Comparator<WantedTrigger> ORDER =
      Comparator.comparing(WantedTrigger::line).thenComparing(WantedTrigger::timeZone);

  @Override
  public int compareTo(WantedTrigger other) {
    return ORDER.compare(this, other);
  }
}
