// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.job;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The permitted state transitions of a job from one committed round to the next. A round may take a
 * job through several steps (its attempt ends, it is requeued and admitted again; it is admitted
 * and preempted), so these are the outcomes of whole rounds. Starting an attempt always takes a
 * round of its own, since dispatch follows the commit: nothing pending is found running a round
 * later.
 */
public final class JobLifecycle {
  private static final Map<JobState, Set<JobState>> JOB = new EnumMap<>(JobState.class);
  private static final Map<AttemptState, Set<AttemptState>> ATTEMPT =
      new EnumMap<>(AttemptState.class);

  static {
    Set<JobState> ends = EnumSet.of(JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED);
    JOB.put(
        JobState.SUBMITTED,
        EnumSet.of(JobState.PENDING, JobState.ADMITTED, JobState.DRAINING, JobState.CANCELLED));
    JOB.put(JobState.PENDING, EnumSet.of(JobState.ADMITTED, JobState.DRAINING, JobState.CANCELLED));
    JOB.put(
        JobState.ADMITTED,
        union(ends, EnumSet.of(JobState.PENDING, JobState.RUNNING, JobState.DRAINING)));
    JOB.put(
        JobState.RUNNING,
        union(ends, EnumSet.of(JobState.PENDING, JobState.ADMITTED, JobState.DRAINING)));
    JOB.put(
        JobState.DRAINING,
        union(ends, EnumSet.of(JobState.PENDING, JobState.ADMITTED, JobState.RUNNING)));
    for (JobState end : ends) {
      JOB.put(end, EnumSet.noneOf(JobState.class));
    }
    ATTEMPT.put(
        AttemptState.ADMITTED,
        EnumSet.of(AttemptState.RUNNING, AttemptState.DRAINING, AttemptState.ENDED));
    ATTEMPT.put(AttemptState.RUNNING, EnumSet.of(AttemptState.DRAINING, AttemptState.ENDED));
    ATTEMPT.put(AttemptState.DRAINING, EnumSet.of(AttemptState.ENDED));
    ATTEMPT.put(AttemptState.ENDED, EnumSet.noneOf(AttemptState.class));
  }

  private JobLifecycle() {}

  /** Whether a job may be in {@code to} a round after it was in {@code from}. */
  public static boolean permits(JobState from, JobState to) {
    return from == to || successors(from).contains(to);
  }

  /** Whether an attempt may be in {@code to} a round after it was in {@code from}. */
  public static boolean permits(AttemptState from, AttemptState to) {
    return from == to || successors(from).contains(to);
  }

  public static Set<JobState> successors(JobState from) {
    return JOB.getOrDefault(from, Set.of());
  }

  public static Set<AttemptState> successors(AttemptState from) {
    return ATTEMPT.getOrDefault(from, Set.of());
  }

  private static Set<JobState> union(Set<JobState> one, Set<JobState> other) {
    EnumSet<JobState> all = EnumSet.copyOf(one);
    all.addAll(other);
    return all;
  }
}
