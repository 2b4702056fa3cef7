// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import io.sluice.manifests.Configuration;
import io.sluice.manifests.document.PlacedManifest;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.restmodel.preview.ApplyAnswer;
import io.sluice.restmodel.preview.ApplyResult;
import io.sluice.scheduler.api.Bodies;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.explanation.EditPreviews;
import io.sluice.scheduler.api.explanation.PreviewAnswers;
import io.sluice.scheduler.api.job.ApplyReader.Asked;
import io.sluice.scheduler.api.quota.QuotaWarnings;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.pipeline.StepCheck;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.submission.Acknowledgement;
import io.sluice.scheduler.submission.ApplyTransaction;
import io.sluice.scheduler.submission.Numbered;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.submission.SubmissionWriter;
import io.sluice.scheduler.submission.WriteTransactions;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * Applies manifests of any known kind over REST, all or none: creates or changes quota objects,
 * then submits jobs.
 */
@Tag(name = "Jobs")
@Path("/v1/apply")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.SUBMITS)
@Blocking
class ApplyResource {
  private final ApplyTransaction together;
  private final WriteTransactions transactions;
  private final SubmissionWriter submissions;
  private final EditPreviews previews;
  private final QuotaWarnings warnings;
  private final ApplyReader reader;
  private final Pipelines pipelineEdits;
  private final StepCheck steps;
  private final Configuration configuration;

  ApplyResource(
      ApplyTransaction together,
      WriteTransactions transactions,
      SubmissionWriter submissions,
      EditPreviews previews,
      QuotaWarnings warnings,
      Pipelines pipelineEdits,
      StepCheck steps,
      Configuration configuration,
      ApplyReader reader) {
    this.pipelineEdits = pipelineEdits;
    this.steps = steps;
    this.configuration = configuration;
    this.together = together;
    this.transactions = transactions;
    this.submissions = submissions;
    this.previews = previews;
    this.warnings = warnings;
    this.reader = reader;
  }

  /**
   * Applies a body of one or more documents.
   *
   * @param key idempotency key of its jobs: a repetition returns the same jobs
   * @param dryRun true: checks everything, stores nothing and answers with the changes
   */
  @Operation(operationId = "apply", summary = "Creates or changes objects, and submits jobs")
  @APIResponseSchema(value = ApplyAnswer.class, responseCode = "200")
  @POST
  @Consumes(MediaType.WILDCARD)
  public Response apply(
      byte[] body,
      @HeaderParam("Idempotency-Key") @Nullable String key,
      @QueryParam("dryRun") @DefaultValue("false") boolean dryRun) {
    String checked = Parameters.key(key);
    List<PlacedManifest> manifests = Bodies.placed(body, configuration.readingTerms());
    Asked asked = reader.read(manifests, checked);
    try {
      return Response.ok(dryRun ? preview(asked) : write(asked, body.length)).build();
    } catch (RefusedException refused) {
      throw ApplyReader.located(refused, manifests);
    } catch (CompletionException failure) {
      if (failure.getCause() instanceof RefusedException refused) {
        throw ApplyReader.located(refused, manifests);
      }
      throw failure;
    }
  }

  /** Jobs alone share a commit with those of other requests. */
  private ApplyAnswer write(Asked asked, long bytes) {
    ApplyTransaction.Request request = asked.request();
    List<SavedPipeline> saved = new ArrayList<>();
    ApplyTransaction.Written written =
        request.objects().isEmpty() && asked.pipelines().isEmpty()
            ? new ApplyTransaction.Written(
                List.of(),
                submissions
                    .submit(request.jobs().stream().map(Numbered::value).toList(), bytes)
                    .join())
            : transactions.keep(() -> writeTogether(asked, saved));
    List<ApplyResult> results = results(written, saved);
    for (int number = 0; number < written.jobs().size(); number++) {
      results.add(ApplyAnswers.job(request.jobs().get(number), written.jobs().get(number)));
    }
    return new ApplyAnswer(
        null,
        results,
        null,
        request.objects().isEmpty() ? null : QuotaWarnings.shown(warnings.find()));
  }

  /** The results for objects and pipelines, in this order. */
  private static List<ApplyResult> results(
      ApplyTransaction.Written written, List<SavedPipeline> saved) {
    List<ApplyResult> results = new ArrayList<>();
    written.objects().forEach(applied -> results.add(ApplyAnswers.object(applied)));
    saved.forEach(
        pipeline -> results.add(ApplyAnswers.pipeline(pipeline.saved(), pipeline.warnings())));
    return results;
  }

  /**
   * A pipeline that was saved.
   *
   * @param warnings objects that must exist before its runs can succeed
   */
  private record SavedPipeline(Pipelines.Saved saved, List<String> warnings) {}

  /**
   * Takes part in a transaction that may be repeated. Pipelines are checked against the objects
   * that are written with them.
   */
  private ApplyTransaction.Written writeTogether(Asked asked, List<SavedPipeline> saved) {
    saved.clear();
    return together.write(
        asked.request(),
        connection -> {
          for (Numbered<Pipeline> pipeline : asked.pipelines()) {
            saved.add(
                new SavedPipeline(
                    pipelineEdits.saveJoined(pipeline.value(), asked.request().caller()),
                    new ArrayList<>()));
          }
        },
        connection -> {
          for (int at = 0; at < saved.size(); at++) {
            Numbered<Pipeline> pipeline = asked.pipelines().get(at);
            saved
                .get(at)
                .warnings()
                .addAll(steps.check(connection, pipeline.document(), pipeline.value()));
          }
        });
  }

  /** The answer to a dry run, without ids: the job was rolled back, so its id means nothing. */
  private ApplyAnswer preview(Asked asked) {
    ApplyTransaction.Request request = asked.request();
    List<SavedPipeline> saved = new ArrayList<>();
    List<String> found = new ArrayList<>();
    EditPreviews.Previewed<ApplyTransaction.Written> previewed =
        previews.of(
            () -> {
              ApplyTransaction.Written written = writeTogether(asked, saved);
              found.clear();
              if (!request.objects().isEmpty()) {
                found.addAll(warnings.find());
              }
              return written;
            },
            written -> written.jobs().stream().map(Acknowledgement::job).toList());
    List<ApplyResult> results = results(previewed.written(), saved);
    NamespaceScope readable = request.caller().scope(Right.READ);
    for (int number = 0; number < request.jobs().size(); number++) {
      results.add(
          ApplyAnswers.previewed(
              request.jobs().get(number),
              previewed.written().jobs().get(number),
              previewed.preview(),
              readable));
    }
    return new ApplyAnswer(
        true, results, PreviewAnswers.of(previewed, readable), QuotaWarnings.shown(found));
  }
}
