// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.state.JobEntry;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.execution.AcceleratorUse;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.execution.StartWait;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.store.StoredJob;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Explanations from the committed view. */
final class JobExplanations {
  private final CommittedView view;
  private final Executor executor;

  JobExplanations(CommittedView view, Executor executor) {
    this.view = view;
    this.executor = executor;
  }

  /** What keeps what was admitted of a job from coming on; null: nothing that is known. */
  @Nullable StartWait waitsFor(StoredJob job) {
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
}
