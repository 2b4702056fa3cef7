// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.admission.explain.Explanation;
import io.sluice.admission.explain.ExplanationSentence;
import io.sluice.admission.preview.Preview;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.restmodel.preview.ApplyResult;
import io.sluice.scheduler.api.quota.QuotaAnswers;
import io.sluice.scheduler.api.quota.SelectorWarnings;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.submission.Acknowledgement;
import io.sluice.scheduler.submission.Numbered;
import io.sluice.scheduler.submission.QuotaAdministration;
import io.sluice.scheduler.submission.Submission;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Converts the results of applied manifests for answers. */
final class ApplyAnswers {
  private ApplyAnswers() {}

  static ApplyResult object(QuotaAdministration.Applied applied) {
    QuotaObject object = applied.stored().object();
    return QuotaAnswers.applied(
        object.key(),
        applied.result().name().toLowerCase(Locale.ROOT),
        SelectorWarnings.of(object));
  }

  /**
   * The result for a pipeline.
   *
   * @param warnings objects that must exist before its runs can succeed
   */
  static ApplyResult pipeline(Pipelines.Saved saved, List<String> warnings) {
    ObjectMeta meta = saved.stored().pipeline().meta();
    return ApplyResult.of(
        "Pipeline",
        meta.namespace(),
        meta.name(),
        saved.created() ? "created" : saved.changed() ? "configured" : "unchanged",
        warnings);
  }

  /** The result for a job that is stored. */
  static ApplyResult job(Numbered<Submission> job, Acknowledgement acknowledged) {
    return job(job, acknowledged, acknowledged.job(), null, NamespaceScope.ALL);
  }

  /**
   * The result for a job in a dry run: with an id only if the job was stored before.
   *
   * @param readable namespaces that the caller may read
   */
  static ApplyResult previewed(
      Numbered<Submission> job,
      Acknowledgement acknowledged,
      Preview preview,
      NamespaceScope readable) {
    return job(
        job,
        acknowledged,
        acknowledged.replayed() ? acknowledged.job() : null,
        outcome(preview, acknowledged.job()),
        readable);
  }

  /** The outcome of a job; null for a job that has ended. */
  private static Preview.@Nullable Outcome outcome(Preview preview, JobId job) {
    return preview.jobs().stream()
        .filter(outcome -> outcome.job().equals(job) && outcome.there())
        .findFirst()
        .orElse(null);
  }

  private static ApplyResult job(
      Numbered<Submission> job,
      Acknowledgement acknowledged,
      @Nullable JobId id,
      Preview.@Nullable Outcome outcome,
      NamespaceScope readable) {
    ObjectMeta meta = job.value().spec().meta();
    Explanation why = outcome == null ? null : outcome.why();
    return new ApplyResult(
        "Job",
        meta.namespace(),
        meta.name(),
        acknowledged.replayed() ? "unchanged" : "created",
        JobAnswers.defaults(acknowledged.filled()),
        id == null ? null : id.toString(),
        outcome == null ? null : outcome.admitted() > 0 ? "ADMITTED" : "PENDING",
        outcome == null ? null : outcome.admitted(),
        why == null ? null : why.blocker().name(),
        why == null ? null : ExplanationSentence.of(why.seenBy(readable::contains)),
        null);
  }
}
