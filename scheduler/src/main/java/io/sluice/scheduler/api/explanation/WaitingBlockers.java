// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.explanation;

import io.sluice.admission.explain.Blocker;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.loop.CommittedView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The blockers of many waiting jobs. Jobs of one LocalQueue and shape mostly share a blocker, as of
 * {@link PageExplanations}, so they should follow one another. Commits wait for a portion of the
 * jobs at a time, and get at least as much time between two portions. Each portion is of one state;
 * a batch may be committed between two.
 */
public final class WaitingBlockers {
  /** The time limit of a request that asks for blockers. */
  public static final Duration TIME_MAX = Duration.ofSeconds(10);

  /** Maximum number of jobs of a portion. */
  static final int JOBS_AT_ONCE = 200;

  /** Maximum number of explanations that a portion computes. */
  static final int EXPLAINED_AT_ONCE = 20;

  /** A portion ends after this time, but not before it has computed two explanations. */
  private static final Duration PORTION_MAX = Duration.ofMillis(5);

  /** Maximum number of concurrent questions of all callers; the others wait for them. */
  private static final int QUESTIONS_AT_ONCE = 2;

  private final Semaphore questions = new Semaphore(QUESTIONS_AT_ONCE, true);
  private final CommittedView view;

  public WaitingBlockers(CommittedView view) {
    this.view = view;
  }

  /**
   * The blockers of jobs, in the same order. A blocker is null if its job is not in the view, is
   * about to be cancelled, or does not wait any more.
   *
   * @param most the time limit, which includes the wait for the questions of other callers
   * @return null if the time limit has passed before all jobs were explained
   */
  public @Nullable List<@Nullable Blocker> of(List<JobId> jobs, Duration most) {
    long begun = System.nanoTime();
    if (!acquire(most)) {
      return null;
    }
    try {
      LatestExplanations latest = new LatestExplanations(view);
      List<@Nullable Blocker> blockers = new ArrayList<>(jobs.size());
      while (blockers.size() < jobs.size()) {
        long before = System.nanoTime();
        if (before - begun > most.toNanos()) {
          return null;
        }
        List<JobId> rest = jobs.subList(blockers.size(), jobs.size());
        blockers.addAll(view.ask(state -> portion(state, latest.of(state), rest)).value());
        LockSupport.parkNanos(System.nanoTime() - before);
      }
      return blockers;
    } finally {
      questions.release();
    }
  }

  private boolean acquire(Duration most) {
    try {
      return questions.tryAcquire(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The blockers of the first jobs, at least of one. */
  static List<@Nullable Blocker> portion(
      AdmissionState state, PageExplanations page, List<JobId> jobs) {
    int before = page.explained();
    long begun = System.nanoTime();
    List<@Nullable Blocker> blockers = new ArrayList<>();
    for (JobId id : jobs) {
      // A job that shares the only explanation of the portion is cheap, so the portion goes on.
      int explained = page.explained() - before;
      boolean late = explained > 1 && System.nanoTime() - begun > PORTION_MAX.toNanos();
      if (late || blockers.size() >= JOBS_AT_ONCE || explained >= EXPLAINED_AT_ONCE) {
        break;
      }
      JobEntry job = state.findJob(id);
      Optional<Blocker> blocker = job == null ? Optional.empty() : page.blocker(job);
      blockers.add(blocker.orElse(null));
    }
    return blockers;
  }
}
