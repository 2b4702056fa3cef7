// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifests.quota;

import io.sluice.manifests.document.Path;
import io.sluice.manifests.document.Violations;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.quota.LocalQueue;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The time limits that a LocalQueue gives and allows. Kueue's schema has no fields for them, so
 * they are annotations.
 *
 * @param usual limit of jobs without one; null: the longest
 * @param longest longest limit of a job; null: any, and none
 */
public record QueueTimeLimits(@Nullable Duration usual, @Nullable Duration longest) {
  public static final String DEFAULT_ANNOTATION = "sluice.io/default-time-limit";
  public static final String MAX_ANNOTATION = "sluice.io/max-time-limit";

  /** Every annotation that is read here. */
  static final List<String> ANNOTATIONS = List.of(DEFAULT_ANNOTATION, MAX_ANNOTATION);

  /**
   * Returns what the annotations of a LocalQueue say.
   *
   * @throws InvalidValueException if one of them cannot be read
   */
  public static QueueTimeLimits of(LocalQueue queue) {
    Labels annotations = queue.meta().annotations();
    return new QueueTimeLimits(
        read(annotations.get(DEFAULT_ANNOTATION)), read(annotations.get(MAX_ANNOTATION)));
  }

  private static @Nullable Duration read(@Nullable String text) {
    if (text == null) {
      return null;
    }
    Duration limit = DurationNotation.parse(text);
    if (limit.compareTo(JobLimits.TIME_LIMIT_MIN) < 0
        || limit.compareTo(JobLimits.TIME_LIMIT_MAX) > 0) {
      throw new InvalidValueException(
          "must be from %s to %s"
              .formatted(
                  DurationNotation.format(JobLimits.TIME_LIMIT_MIN),
                  DurationNotation.format(JobLimits.TIME_LIMIT_MAX)));
    }
    return limit;
  }

  /**
   * Adds a violation for each annotation that cannot be read, and for a default over the maximum.
   */
  static void check(Labels annotations, Path path, Violations violations) {
    Duration usual = check(annotations, DEFAULT_ANNOTATION, path, violations);
    Duration longest = check(annotations, MAX_ANNOTATION, path, violations);
    if (usual != null && longest != null && usual.compareTo(longest) > 0) {
      violations.add(
          path.key(DEFAULT_ANNOTATION),
          String.valueOf(annotations.get(DEFAULT_ANNOTATION)),
          "must be at most %s, which is %s"
              .formatted(MAX_ANNOTATION, annotations.get(MAX_ANNOTATION)));
    }
  }

  private static @Nullable Duration check(
      Labels annotations, String annotation, Path path, Violations violations) {
    String text = annotations.get(annotation);
    try {
      return read(text);
    } catch (InvalidValueException invalid) {
      violations.add(
          path.key(annotation), String.valueOf(text), String.valueOf(invalid.getMessage()));
      return null;
    }
  }

  /** Returns the limit of a job that has none; null: it stays without. */
  public @Nullable Duration ofUnlimited() {
    return usual == null ? longest : usual;
  }

  /** Returns whether a job may have a limit; null: none. */
  public boolean allows(@Nullable Duration limit) {
    return longest == null || (limit != null && limit.compareTo(longest) <= 0);
  }
}
