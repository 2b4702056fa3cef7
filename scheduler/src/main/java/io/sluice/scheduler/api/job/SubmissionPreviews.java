// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.restmodel.preview.ApplyAnswer;
import io.sluice.restmodel.preview.ApplyResult;
import io.sluice.scheduler.api.explanation.EditPreviews;
import io.sluice.scheduler.api.explanation.PreviewAnswers;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.submission.Acknowledgement;
import io.sluice.scheduler.submission.ApplyTransaction;
import io.sluice.scheduler.submission.Numbered;
import io.sluice.scheduler.submission.Submission;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.control.ActivateRequestContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Runs dry runs of submissions: writes the jobs, rolls them back, and lets the engine preview them.
 */
@Singleton
class SubmissionPreviews {
  private final ApplyTransaction together;
  private final EditPreviews previews;

  SubmissionPreviews(ApplyTransaction together, EditPreviews previews) {
    this.together = together;
    this.previews = previews;
  }

  /** Answers on a worker thread: submissions arrive on event-loop threads, which must not block. */
  CompletionStage<Response> of(List<Submission> jobs, Caller caller) {
    return CompletableFuture.supplyAsync(
        () -> Response.ok(preview(jobs, caller)).build(), Infrastructure.getDefaultWorkerPool());
  }

  /** Intercepted: a transaction needs a request context, which a thread of the pool lacks. */
  @ActivateRequestContext
  ApplyAnswer preview(List<Submission> jobs, Caller caller) {
    List<Numbered<Submission>> numbered = new ArrayList<>();
    for (Submission job : jobs) {
      numbered.add(new Numbered<>(numbered.size() + 1, job));
    }
    ApplyTransaction.Request request = new ApplyTransaction.Request(List.of(), numbered, caller);
    EditPreviews.Previewed<List<Acknowledgement>> previewed =
        previews.of(
            () -> together.write(request).jobs(),
            written -> written.stream().map(Acknowledgement::job).toList());
    NamespaceScope readable = caller.scope(Right.READ);
    List<ApplyResult> results = new ArrayList<>();
    for (int number = 0; number < numbered.size(); number++) {
      results.add(
          ApplyAnswers.previewed(
              numbered.get(number),
              previewed.written().get(number),
              previewed.preview(),
              readable));
    }
    return new ApplyAnswer(true, results, PreviewAnswers.of(previewed, readable), null);
  }
}
