// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import io.sluice.manifests.document.Violation;
import io.sluice.manifests.quota.QueueTimeLimits;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.quota.ClassDefaults;
import io.sluice.queuemodel.quota.ComputeClass;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job with the defaults of its compute class and the time limit of its LocalQueue filled in. It
 * is checked, stored, journaled and shown in this form.
 *
 * @param defaults the values that the job omitted and its class supplied
 * @param timeLimit the time limit that the job omitted and its queue supplied; null: none
 */
public record FilledJob(JobSpec spec, ClassDefaults defaults, @Nullable Duration timeLimit) {
  private static final String QUEUE = "spec.queue";
  private static final String PRIORITY_CLASS = "spec.priorityClass";
  private static final String SELECTORS = ".selectors";

  /** A job without a time limit of its queue. */
  public FilledJob(JobSpec spec, ClassDefaults defaults) {
    this(spec, defaults, null);
  }

  /** Whether nothing was filled in. */
  boolean asSent() {
    return defaults.equals(ClassDefaults.NONE) && timeLimit == null;
  }

  /**
   * Gives a job without a time limit that of its queue, if there is one.
   *
   * @param objects contain its queue, if that exists
   * @param documented whether the job is a manifest of Kubernetes, which stays as it is: only the
   *     engine learns the limit
   */
  FilledJob limited(Map<ObjectKey, QuotaObject> objects, boolean documented) {
    if (spec.limits().timeLimit() != null
        || !spec.queued()
        || !(objects.get(spec.queueKey().objectKey()) instanceof LocalQueue queue)) {
      return this;
    }
    Duration limit = QueueTimeLimits.of(queue).ofUnlimited();
    return limit == null
        ? this
        : new FilledJob(spec.withTimeLimit(limit), defaults, documented ? null : limit);
  }

  /**
   * Fills in a job.
   *
   * @param objects contain its compute class, if that exists
   */
  static FilledJob of(JobSpec job, Map<ObjectKey, QuotaObject> objects) {
    String name = job.computeClass();
    if (name == null
        || !(objects.get(ObjectKey.of(ObjectKind.COMPUTE_CLASS, name))
            instanceof ComputeClass ladder)) {
      return new FilledJob(job, ClassDefaults.NONE);
    }
    ClassDefaults open = job.leftOpen(ladder.defaults());
    return open.equals(ClassDefaults.NONE)
        ? new FilledJob(job, open)
        : new FilledJob(job.filled(open), open);
  }

  /** Attributes violations to the class where the value came from it and not from the job. */
  List<Violation> blamed(List<Violation> violations) {
    return violations.stream().map(this::blamed).toList();
  }

  private Violation blamed(Violation violation) {
    String path = violation.path();
    boolean ofClass =
        (path.equals(QUEUE) && defaults.queue() != null)
            || (path.equals(PRIORITY_CLASS) && defaults.priorityClass() != null)
            || (path.endsWith(SELECTORS) && !defaults.selectors().isEmpty());
    return ofClass
        ? new Violation(
            violation.document(),
            path,
            violation.value(),
            violation.message() + " (from compute class " + spec.computeClass() + ")")
        : violation;
  }
}
