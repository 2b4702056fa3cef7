// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.quarkus.security.ForbiddenException;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.document.PlacedManifest;
import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.submission.ApplyTransaction;
import io.sluice.scheduler.submission.Numbered;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.submission.Submission;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns manifests into a request to apply them, within the rights of the caller. */
@Singleton
class ApplyReader {
  private static final int FIRST_DOCUMENT = 1;

  private final CurrentCaller caller;

  ApplyReader(CurrentCaller caller) {
    this.caller = caller;
  }

  /**
   * The content of a body.
   *
   * @param pipelines to save together with the objects and jobs
   */
  record Asked(ApplyTransaction.Request request, List<Numbered<Pipeline>> pipelines) {}

  /**
   * Numbers documents by their place among the manifests; violations are mapped to positions later.
   *
   * @param key idempotency key of the jobs; null: they have none
   * @throws ForbiddenException if the caller may not apply one of them
   */
  Asked read(List<PlacedManifest> manifests, @Nullable String key) {
    List<Numbered<QuotaObject>> objects = new ArrayList<>();
    List<Numbered<Manifest.JobManifest>> jobs = new ArrayList<>();
    List<Numbered<Pipeline>> pipelines = new ArrayList<>();
    List<Violation> violations = new ArrayList<>();
    int number = FIRST_DOCUMENT;
    for (PlacedManifest placed : manifests) {
      if (placed.manifest() instanceof Manifest.QuotaManifest quota) {
        objects.add(new Numbered<>(number, quota.object()));
      } else if (placed.manifest() instanceof Manifest.JobManifest job) {
        jobs.add(new Numbered<>(number, job));
      } else if (placed.manifest() instanceof Manifest.PipelineManifest pipeline) {
        pipelines.add(new Numbered<>(number, pipeline.pipeline()));
      } else {
        String message = "is given to the server at its start, by --fleet";
        violations.add(placed.locate(new Violation(number, "kind", "Fleet", message)));
      }
      number++;
    }
    if (!violations.isEmpty()) {
      throw new InvalidManifestException(violations);
    }
    Caller who = permitted(objects, jobs, pipelines);
    List<Numbered<Submission>> submitted = new ArrayList<>();
    for (Numbered<Manifest.JobManifest> job : jobs) {
      String own = key == null ? null : key + "/" + submitted.size();
      Manifest.JobManifest written = job.value();
      submitted.add(
          new Numbered<>(
              job.document(), new Submission(written.job(), who, own, written.documents())));
    }
    return new Asked(new ApplyTransaction.Request(objects, submitted, who), pipelines);
  }

  /**
   * Only administrators, of the installation or of a team, write quota objects, and the transaction
   * checks which; submitters write jobs in their namespaces.
   */
  private Caller permitted(
      List<Numbered<QuotaObject>> objects,
      List<Numbered<Manifest.JobManifest>> jobs,
      List<Numbered<Pipeline>> pipelines) {
    List<String> namespaces = new ArrayList<>();
    jobs.forEach(job -> namespaces.add(job.value().meta().namespace()));
    pipelines.forEach(pipeline -> namespaces.add(pipeline.value().meta().namespace()));
    Caller who = caller.require(Right.SUBMIT, namespaces);
    if (who.scope(Right.DIVIDE).equals(NamespaceScope.NONE) && !objects.isEmpty()) {
      throw new ForbiddenException(
          "%s, may not write %s".formatted(who.described(), objects.get(0).value().key()));
    }
    return who;
  }

  /** Returns the refusal with the positions of its violations in the input. */
  static RefusedException located(RefusedException refused, List<PlacedManifest> manifests) {
    List<Violation> violations =
        refused.refusal().violations().stream()
            .map(found -> manifests.get(found.document() - FIRST_DOCUMENT).locate(found))
            .toList();
    return violations.isEmpty() ? refused : new RefusedException(violations);
  }
}
