// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.explain.ExplanationSentence;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.JobEntry;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.execution.AcceleratorUse;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.store.StoredJob;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Explanations from the committed view. */
final class JobExplanations {
  private static final int REASONS_MAX = 5;
  private static final int EXPLAINED_AT_ONCE = 20;

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

  /**
   * Those of some jobs of which nothing is admitted, each with the reason. Jobs of one caller
   * mostly wait for the same, so that only the first {@value #REASONS_MAX} are explained; the
   * reason of the others is empty.
   */
  Map<JobId, String> pending(List<JobId> jobs) {
    return view.ask(
            state -> {
              Map<JobId, String> pending = new TreeMap<>();
              for (JobId id : jobs) {
                JobEntry job = state.findJob(id);
                if (job != null && job.state() == JobState.PENDING) {
                  pending.put(id, pending.size() < REASONS_MAX ? reason(state, job) : "");
                }
              }
              return pending;
            })
        .value();
  }

  private static String reason(AdmissionState state, JobEntry job) {
    return new Explainer(state).explain(job).map(ExplanationSentence::of).orElse("");
  }

  /**
   * Explanations of a page of jobs, by job; without those that are not in the view, or of which
   * nothing waits. Commits wait for {@value #EXPLAINED_AT_ONCE} jobs at a time.
   */
  Map<JobId, Explanation> explain(List<JobId> ids) {
    Map<JobId, Explanation> explanations = new TreeMap<>();
    for (int from = 0; from < ids.size(); from += EXPLAINED_AT_ONCE) {
      List<JobId> some = ids.subList(from, Math.min(ids.size(), from + EXPLAINED_AT_ONCE));
      view.ask(
          state -> {
            PageExplanations page = new PageExplanations(state);
            for (JobId id : some) {
              JobEntry job = state.findJob(id);
              if (job != null) {
                page.explain(job).ifPresent(found -> explanations.put(id, found));
              }
            }
            return page.explained();
          });
    }
    return explanations;
  }

  /** Empty if the job is not in the view, or nothing of it waits. */
  CommittedView.Answer<Optional<Explanation>> explain(JobId id) {
    return view.ask(
        state -> {
          JobEntry job = state.findJob(id);
          return job == null ? Optional.empty() : new Explainer(state).explain(job);
        });
  }
}
