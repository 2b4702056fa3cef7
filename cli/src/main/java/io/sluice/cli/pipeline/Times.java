// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.pipeline;

import io.sluice.cli.options.WrongUsageException;
import java.time.DateTimeException;
import java.time.Instant;

/** Parses the times that options have. */
final class Times {
  private Times() {}

  /**
   * Parses a time.
   *
   * @throws WrongUsageException if the text is none, naming the option
   */
  static Instant parse(String option, String written) {
    try {
      return Instant.parse(written);
    } catch (DateTimeException notTime) {
      throw new WrongUsageException(
          "%s must be a time such as 2026-11-21T02:00:00Z, it is %s".formatted(option, written));
    }
  }
}
