// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import io.sluice.queuemodel.InvalidValueException;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The id of a job. Ids order as their text does, which for the time-ordered ids made here is by
 * age.
 */
public record JobId(UUID value) implements Comparable<JobId> {
  private static final Pattern NOTATION =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  /**
   * Reads an id.
   *
   * @throws InvalidValueException if the text is no UUID
   */
  public static JobId parse(String text) {
    if (!NOTATION.matcher(text).matches()) {
      throw new InvalidValueException("must be a job's id, a UUID in lower case");
    }
    return new JobId(UUID.fromString(text));
  }

  @Override
  public int compareTo(JobId other) {
    int high =
        Long.compareUnsigned(value.getMostSignificantBits(), other.value.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(
            value.getLeastSignificantBits(), other.value.getLeastSignificantBits());
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
