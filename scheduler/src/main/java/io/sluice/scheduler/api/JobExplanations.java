// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.explain.SmallestChange;
import io.sluice.admission.preview.ChangeSearch;
import io.sluice.admission.preview.Competitors;
import io.sluice.admission.state.JobEntry;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.execution.AcceleratorUse;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.store.StoredJob;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Explanations from the committed view. */
final class JobExplanations {
  /** A search that takes longer answers that the change is unknown. */
  private static final Duration TRIAL_MAX = Duration.ofSeconds(1);

  /** How many searches, each with a copy of its own, run at once. */
  private static final int TRIALS_AT_ONCE = 8;

  private final Semaphore trials = new Semaphore(TRIALS_AT_ONCE);
  private final CommittedView view;
  private final Executor executor;

  JobExplanations(CommittedView view, Executor executor) {
    this.view = view;
    this.executor = executor;
  }

  /** What keeps what was admitted of a job from coming on; null: nothing that is known. */
  @Nullable String waitsFor(StoredJob job) {
    return switch (job.state()) {
      case ADMITTED, RUNNING, DRAINING -> executor.waitsFor(job.id());
      case SUBMITTED, PENDING, SUCCEEDED, FAILED, CANCELLED -> null;
    };
  }

  /** How much of its accelerators a job uses; null: nothing that is known. */
  @Nullable AcceleratorUse acceleratorUse(StoredJob job) {
    return job.state() == JobState.RUNNING ? executor.acceleratorUse().get(job.id()) : null;
  }

  /** What there is to say of a job that runs; empty: no more than that. */
  Optional<String> running(JobId id) {
    return view.ask(
            state -> {
              JobEntry job = state.findJob(id);
              return job == null
                  ? Optional.<String>empty()
                  : job.live().stream()
                      .map(ElasticSentence::of)
                      .filter(Objects::nonNull)
                      .findFirst();
            })
        .value();
  }

  /** Empty if the job is not in the view, or nothing of it waits. */
  CommittedView.Answer<Optional<Explanation>> explain(JobId id) {
    return view.ask(
        state -> {
          JobEntry job = state.findJob(id);
          return job == null ? Optional.empty() : new Explainer(state).explain(job);
        });
  }

  /**
   * The same with a smallest change that the engine has verified. Commits wait only until the job's
   * competitors are copied; the trial itself runs on the copy.
   */
  CommittedView.Answer<Optional<Explanation>> explainWithChange(JobId id) {
    CommittedView.Answer<Optional<Explained>> answer =
        view.ask(
            state -> {
              JobEntry job = state.findJob(id);
              return job == null
                  ? Optional.<Explained>empty()
                  : new Explainer(state)
                      .explain(job)
                      .map(
                          found ->
                              new Explained(
                                  found,
                                  ChangeSearch.appliesTo(found)
                                      ? Competitors.of(state, job)
                                      : null));
            });
    return new CommittedView.Answer<>(answer.value().map(this::verified), answer.sequence());
  }

  private Explanation verified(Explained explained) {
    Competitors competitors = explained.competitors();
    if (competitors == null) {
      return explained.explanation();
    }
    if (!trials.tryAcquire()) {
      return explained.explanation().withChange(SmallestChange.UNKNOWN);
    }
    try {
      long deadline = System.nanoTime() + TRIAL_MAX.toNanos();
      ChangeSearch search =
          new ChangeSearch(competitors, view.policy(), () -> System.nanoTime() < deadline);
      return explained.explanation().withChange(search.find());
    } finally {
      trials.release();
    }
  }

  /**
   * An explanation, and what its change is tried on.
   *
   * @param competitors null: there is nothing to try
   */
  private record Explained(Explanation explanation, @Nullable Competitors competitors) {}
}
