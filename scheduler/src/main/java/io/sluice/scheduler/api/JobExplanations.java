// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.state.JobEntry;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.loop.CommittedView;
import java.util.Objects;
import java.util.Optional;

/** Explanations from the committed view. */
final class JobExplanations {
  private final CommittedView view;

  JobExplanations(CommittedView view) {
    this.view = view;
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
