// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bench;

import io.sluice.queuemodel.job.JobState;
import io.sluice.restmodel.event.WatchedEvent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the server recorded of the jobs of a run: their creation, admissions and ends. */
final class JobHistories {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Map<String, History> jobs = new LinkedHashMap<>();
  private long admissions;
  private @Nullable Instant firstAdmission;
  private @Nullable Instant lastAdmission;
  private @Nullable Instant lastEnd;
  private int ended;
  private int failed;

  /** The history of a job; times that are not known are null. */
  private static final class History {
    private final int classIndex;
    private @Nullable Instant createdAt;
    private @Nullable Instant firstAdmittedAt;
    private boolean ended;

    History(int classIndex) {
      this.classIndex = classIndex;
    }

    @Nullable Double secondsToAdmission() {
      return createdAt == null || firstAdmittedAt == null
          ? null
          : (Double) seconds(createdAt, firstAdmittedAt);
    }
  }

  /** Creates the empty histories of jobs that were submitted. */
  JobHistories(List<Submitter.Submission> submissions) {
    for (Submitter.Submission submission : submissions) {
      jobs.put(submission.id(), new History(submission.arrival().classIndex()));
    }
  }

  /** Takes the time of a job's creation; ignores other jobs. */
  void created(String id, Instant at) {
    History job = jobs.get(id);
    if (job != null) {
      job.createdAt = at;
    }
  }

  /** Takes an event; events of one job come in their order. Ignores events of other jobs. */
  void take(WatchedEvent event) {
    History job = event.job() == null ? null : jobs.get(event.job().id());
    if (job == null) {
      return;
    }
    switch (event.kind()) {
      case "Admitted" -> admitted(job, event.at());
      case "JobFinished" -> ended(job, event);
      default -> {
        // Other events do not count.
      }
    }
  }

  private void admitted(History job, Instant at) {
    admissions++;
    firstAdmission = firstAdmission == null || at.isBefore(firstAdmission) ? at : firstAdmission;
    lastAdmission = lastAdmission == null || at.isAfter(lastAdmission) ? at : lastAdmission;
    if (job.firstAdmittedAt == null) {
      job.firstAdmittedAt = at;
    }
  }

  private void ended(History job, WatchedEvent event) {
    if (!job.ended) {
      job.ended = true;
      ended++;
      failed += JobState.SUCCEEDED.name().equals(event.object().state()) ? 0 : 1;
      Instant at = event.at();
      lastEnd = lastEnd == null || at.isAfter(lastEnd) ? at : lastEnd;
    }
  }

  /** Returns the number of jobs. */
  int size() {
    return jobs.size();
  }

  /** Returns the number of admissions, several of which may be of one job. */
  long admissions() {
    return admissions;
  }

  /** Returns the number of admissions that followed an earlier one of the same job. */
  long readmissions() {
    return admissions - jobs.values().stream().filter(job -> job.firstAdmittedAt != null).count();
  }

  /** Returns the number of jobs that have ended. */
  int ended() {
    return ended;
  }

  /** Returns the number of jobs that have ended without success. */
  int failed() {
    return failed;
  }

  /** Returns the seconds from the first to the last admission; 0 if there are fewer than two. */
  double admissionSeconds() {
    return firstAdmission == null || lastAdmission == null
        ? 0
        : seconds(firstAdmission, lastAdmission);
  }

  /** Returns the seconds from a time to the last end of a job; null: none has ended. */
  @Nullable Double secondsToLastEnd(Instant from) {
    return lastEnd == null ? null : (Double) seconds(from, lastEnd);
  }

  /**
   * Returns the seconds from the creation to the first admission of each job of a class that was
   * admitted.
   */
  double[] secondsToAdmission(int classIndex) {
    return jobs.values().stream()
        .filter(job -> job.classIndex == classIndex)
        .map(History::secondsToAdmission)
        .filter(seconds -> seconds != null)
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  private static double seconds(Instant from, Instant to) {
    return (to.getEpochSecond() - from.getEpochSecond())
        + (to.getNano() - from.getNano()) / NANOS_PER_SECOND;
  }
}
