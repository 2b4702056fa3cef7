// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.simulated;

import io.sluice.queuemodel.Labels;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * The simulated course of an attempt, from annotations of its job.
 *
 * @param runTime time from start to end
 * @param exitCode exit code at the end; 0 is success
 * @param progressEvery interval of progress reports; null: none
 */
record SimulatedRun(Duration runTime, int exitCode, @Nullable Duration progressEvery) {
  /** Run time, an ISO-8601 duration such as {@code PT10S}; default 1 s. */
  static final String RUN_TIME = "sluice.io/simulated-run-time";

  /** Exit code, from 0 to 255; default 0. */
  static final String EXIT_CODE = "sluice.io/simulated-exit-code";

  /**
   * Interval of progress, an ISO-8601 duration such as {@code PT10S}, at least 1 s; without it
   * there is no progress.
   */
  static final String PROGRESS_EVERY = "sluice.io/simulated-progress-every";

  private static final Duration PROGRESS_EVERY_MIN = Duration.ofSeconds(1);
  private static final Duration RUN_TIME_MAX = Duration.ofDays(365);
  private static final int EXIT_CODE_MAX = 255;

  /**
   * Reads the annotations.
   *
   * @throws IllegalArgumentException if one cannot be read; the message names it
   */
  static SimulatedRun of(Labels annotations) {
    String runTime = annotations.get(RUN_TIME);
    String exitCode = annotations.get(EXIT_CODE);
    String progressEvery = annotations.get(PROGRESS_EVERY);
    return new SimulatedRun(
        runTime == null ? Duration.ofSeconds(1) : duration(RUN_TIME, runTime),
        exitCode == null ? 0 : code(exitCode),
        progressEvery == null ? null : progressEvery(progressEvery));
  }

  private static Duration progressEvery(String text) {
    Duration every = duration(PROGRESS_EVERY, text);
    if (every.compareTo(PROGRESS_EVERY_MIN) < 0) {
      throw new IllegalArgumentException(PROGRESS_EVERY + " must be at least PT1S: " + text);
    }
    return every;
  }

  private static Duration duration(String annotation, String text) {
    try {
      Duration duration = Duration.parse(text);
      if (!duration.isNegative() && duration.compareTo(RUN_TIME_MAX) <= 0) {
        return duration;
      }
    } catch (DateTimeParseException unreadable) {
      throw new IllegalArgumentException(
          annotation + " is no ISO-8601 duration: " + text, unreadable);
    }
    throw new IllegalArgumentException(annotation + " must be between 0 and 365 days: " + text);
  }

  private static int code(String text) {
    try {
      int code = Integer.parseInt(text);
      if (code >= 0 && code <= EXIT_CODE_MAX) {
        return code;
      }
    } catch (NumberFormatException unreadable) {
      throw new IllegalArgumentException(EXIT_CODE + " is no number: " + text, unreadable);
    }
    throw new IllegalArgumentException(EXIT_CODE + " must be between 0 and 255: " + text);
  }
}
