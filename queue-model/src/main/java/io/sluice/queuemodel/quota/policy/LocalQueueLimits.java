// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.quota.policy;

import io.sluice.queuemodel.InvalidValueException;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.Names;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a LocalQueue per submitter, and its allowed priority classes. Kueue's schema has no
 * fields for them, so they are annotations.
 *
 * @param pendingJobs most jobs of one submitter that are pending when one more comes; null: any
 *     number
 * @param runningJobs most jobs of one submitter that hold or claim quota; null: any number
 * @param priorityClasses those that a job may name; empty: all of them, and none
 */
public record LocalQueueLimits(
    @Nullable Integer pendingJobs, @Nullable Integer runningJobs, List<String> priorityClasses) {
  /** All annotations of ours begin so. */
  public static final String ANNOTATION_PREFIX = "sluice.io/";

  public static final String PENDING_JOBS_ANNOTATION = "sluice.io/max-pending-jobs-per-submitter";
  public static final String RUNNING_JOBS_ANNOTATION = "sluice.io/max-running-jobs-per-submitter";
  public static final String PRIORITY_CLASSES_ANNOTATION = "sluice.io/allowed-priority-classes";

  /** The largest number of jobs that may be written. */
  public static final int JOBS_MAX = 1_000_000;

  /** Every annotation that is read here. */
  public static final List<String> ANNOTATIONS =
      List.of(PENDING_JOBS_ANNOTATION, RUNNING_JOBS_ANNOTATION, PRIORITY_CLASSES_ANNOTATION);

  public LocalQueueLimits {
    priorityClasses = List.copyOf(priorityClasses);
  }

  /**
   * What the annotations say.
   *
   * @throws InvalidValueException if one of them cannot be read
   */
  public static LocalQueueLimits of(Labels annotations) {
    String pending = annotations.get(PENDING_JOBS_ANNOTATION);
    String running = annotations.get(RUNNING_JOBS_ANNOTATION);
    String classes = annotations.get(PRIORITY_CLASSES_ANNOTATION);
    return new LocalQueueLimits(
        pending == null ? null : jobs(pending),
        running == null ? null : jobs(running),
        classes == null ? List.of() : names(classes));
  }

  /**
   * Reads one of {@link #ANNOTATIONS}, to see whether it can be read.
   *
   * @throws InvalidValueException with what would be right
   */
  public static void check(String annotation, String value) {
    if (annotation.equals(PRIORITY_CLASSES_ANNOTATION)) {
      names(value);
    } else {
      jobs(value);
    }
  }

  private static int jobs(String text) {
    boolean digits = !text.isEmpty() && text.chars().allMatch(at -> at >= '0' && at <= '9');
    // No number of jobs has more digits than the largest.
    boolean large = text.length() > Integer.toString(JOBS_MAX).length();
    int jobs = digits && !large ? Integer.parseInt(text) : 0;
    if (jobs < 1 || jobs > JOBS_MAX) {
      throw new InvalidValueException("must be a whole number from 1 to " + JOBS_MAX);
    }
    return jobs;
  }

  private static List<String> names(String text) {
    List<String> names = new ArrayList<>();
    for (String name : text.split(",", -1)) {
      String known = Names.requireSubdomain(name.strip());
      if (names.contains(known)) {
        throw new InvalidValueException("names " + known + " twice");
      }
      names.add(known);
    }
    return names;
  }

  /** Whether a job that names this class, or none, may be submitted. */
  public boolean allows(@Nullable String priorityClass) {
    return priorityClasses.isEmpty()
        || (priorityClass != null && priorityClasses.contains(priorityClass));
  }
}
