// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import io.sluice.admission.explain.Explainer;
import io.sluice.admission.explain.Explanation;
import io.sluice.admission.explain.ExplanationSentence;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.execution.JobReasons;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reasons why jobs wait, as of the last committed batch, for the users of the job's namespace:
 * those of a cluster read them on their objects.
 */
public final class CommittedReasons implements JobReasons {
  private final CommittedView view;

  public CommittedReasons(CommittedView view) {
    this.view = view;
  }

  @Override
  public @Nullable Reason of(JobId id) {
    return view.ask(
            state -> {
              JobEntry job = state.findJob(id);
              return job == null
                  ? Optional.<Reason>empty()
                  : new Explainer(state).explain(job).map(found -> reason(job, found));
            })
        .value()
        .orElse(null);
  }

  private static Reason reason(JobEntry job, Explanation found) {
    Explanation seen = found.seenBy(job.workload().queue().namespace()::equals);
    return new Reason(seen.blocker().name(), ExplanationSentence.of(seen));
  }
}
