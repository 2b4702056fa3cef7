// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agroal.api.AgroalDataSource;
import io.sluice.admission.explain.Blocker;
import io.sluice.admission.explain.Explanation;
import io.sluice.manifests.Configuration;
import io.sluice.manifests.document.Manifest;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.queuemodel.job.WorkloadPriority;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.explanation.JobExplanation;
import io.sluice.restmodel.job.JobAccepted;
import io.sluice.restmodel.job.JobAcknowledgement;
import io.sluice.restmodel.job.JobAcknowledgements;
import io.sluice.restmodel.job.JobPrioritized;
import io.sluice.restmodel.job.JobStatus;
import io.sluice.restmodel.job.JobView;
import io.sluice.restmodel.preview.ApplyAnswer;
import io.sluice.scheduler.api.Bodies;
import io.sluice.scheduler.api.FromView;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.OneOf;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.explanation.AcceleratorAnswers;
import io.sluice.scheduler.api.explanation.JobExplanations;
import io.sluice.scheduler.api.explanation.WaitingBlockers;
import io.sluice.scheduler.api.sharing.Shared;
import io.sluice.scheduler.estimate.ExpectedStarts;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.execution.kubernetes.fleet.FleetStandings;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.input.InputWriter;
import io.sluice.scheduler.store.job.CostReader;
import io.sluice.scheduler.store.job.JobFilter;
import io.sluice.scheduler.store.job.JobOrder;
import io.sluice.scheduler.store.job.JobReader;
import io.sluice.scheduler.store.job.StoredJob;
import io.sluice.scheduler.submission.Acknowledgement;
import io.sluice.scheduler.submission.PriorityEdits;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.submission.Submission;
import io.sluice.scheduler.submission.SubmissionWriter;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestResponse;
import org.jspecify.annotations.Nullable;

/** Jobs over REST: submit, list, get, cancel, hold, release, prioritize, explanation. */
@Tag(name = "Jobs")
@Path("/v1/jobs")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
class JobResource {
  private static final int BULK_MAX = 1_000;
  private static final String SEQUENCE = "Sluice-Sequence";
  private static final String REPLAYED = "Idempotency-Replayed";
  private static final String EVICT = "evict";
  private static final String LEAVE = "leave";
  private static final String NEWEST = "newest";
  private static final String OLDEST = "oldest";

  private final SubmissionWriter submissions;
  private final SubmissionPreviews submissionPreviews;
  private final JobLookup lookup;
  private final JobReader jobs;
  private final BlockedJobs blockedJobs;
  private final CostReader costs;
  private final InputWriter inputs;
  private final PriorityEdits priorities;
  private final CommittedView view;
  private final JobExplanations explanations;
  private final Pipelines pipelines;
  private final CurrentCaller caller;
  private final Configuration configuration;

  JobResource(
      SubmissionWriter submissions,
      SubmissionPreviews submissionPreviews,
      JobLookup lookup,
      AgroalDataSource database,
      CommittedView view,
      Executor executor,
      FleetStandings standings,
      Pipelines pipelines,
      Configuration configuration,
      ExpectedStarts expected,
      CurrentCaller caller) {
    this.configuration = configuration;
    this.caller = caller;
    this.submissions = submissions;
    this.submissionPreviews = submissionPreviews;
    this.lookup = lookup;
    this.jobs = new JobReader(database);
    this.blockedJobs = new BlockedJobs(jobs, new WaitingBlockers(view));
    this.costs = new CostReader(database);
    this.inputs = new InputWriter(database);
    this.priorities = new PriorityEdits(database);
    this.view = view;
    this.explanations = new JobExplanations(view, executor, standings, expected, caller);
    this.pipelines = pipelines;
  }

  /**
   * Submits one job; answers when it is durable.
   *
   * @param dryRun true: checks it, stores nothing and answers with its outcome
   */
  @Operation(operationId = "submitJob", summary = "Submits a job")
  @APIResponseSchema(value = JobAcknowledgement.class, responseCode = "201")
  @APIResponse(
      responseCode = "200",
      description =
          "The answer to an earlier request with the same Idempotency-Key; of a dry run, what would"
              + " happen",
      content =
          @Content(
              schema =
                  @Schema(
                      title = "SubmitJobAnswer",
                      anyOf = {JobAcknowledgement.class, ApplyAnswer.class})))
  @POST
  @RolesAllowed(Right.SUBMITS)
  @Consumes(MediaType.WILDCARD)
  public CompletionStage<Response> submit(
      byte[] body,
      @HeaderParam("Idempotency-Key") @Nullable String key,
      @QueryParam("dryRun") @DefaultValue("false") boolean dryRun) {
    Manifest.JobManifest written = Bodies.job(body, configuration.readingTerms());
    JobSpec job = written.job();
    Caller submitter = caller.require(Right.SUBMIT, job.meta().namespace());
    List<Submission> one =
        List.of(new Submission(job, submitter, Parameters.key(key), written.documents()));
    return dryRun
        ? submissionPreviews.of(one, submitter)
        : submissions
            .submit(one, body.length)
            .thenApply(acknowledged -> submitted(job, acknowledged.get(0)));
  }

  private static Response submitted(JobSpec job, Acknowledgement acknowledged) {
    JobAcknowledgement json = JobAnswers.acknowledgement(job, acknowledged);
    Response.ResponseBuilder answer =
        acknowledged.replayed()
            ? Response.ok(json).header(REPLAYED, "true")
            : Response.status(Response.Status.CREATED)
                .header(HttpHeaders.LOCATION, "/v1/jobs/" + acknowledged.job())
                .entity(json);
    return answer.build();
  }

  /**
   * Submits many jobs, all or none.
   *
   * @param dryRun as of {@link #submit}
   */
  @Operation(operationId = "submitJobs", summary = "Submits up to 1,000 jobs, all or none")
  @APIResponseSchema(value = JobAcknowledgements.class, responseCode = "201")
  @APIResponse(
      responseCode = "200",
      description =
          "The answer to an earlier request with the same Idempotency-Key; of a dry run, what would"
              + " happen",
      content =
          @Content(
              schema =
                  @Schema(
                      title = "SubmitJobsAnswer",
                      anyOf = {JobAcknowledgements.class, ApplyAnswer.class})))
  @POST
  @RolesAllowed(Right.SUBMITS)
  @Path("/bulk")
  @Blocking // A thousand manifests are too much for a thread that serves other requests.
  @Consumes(MediaType.WILDCARD)
  public CompletionStage<Response> submitBulk(
      byte[] body,
      @HeaderParam("Idempotency-Key") @Nullable String key,
      @QueryParam("dryRun") @DefaultValue("false") boolean dryRun) {
    List<Manifest.JobManifest> written = Bodies.jobs(body, configuration.readingTerms());
    List<JobSpec> specs = written.stream().map(Manifest.JobManifest::job).toList();
    if (specs.size() > BULK_MAX) {
      throw ProblemException.badRequest(
          "at most %d jobs at once, there are %d".formatted(BULK_MAX, specs.size()));
    }
    Caller submitter =
        caller.require(Right.SUBMIT, specs.stream().map(spec -> spec.meta().namespace()).toList());
    String checked = Parameters.key(key);
    List<Submission> all = new ArrayList<>();
    for (int number = 0; number < specs.size(); number++) {
      all.add(
          new Submission(
              specs.get(number),
              submitter,
              checked == null ? null : checked + "/" + number,
              written.get(number).documents()));
    }
    if (dryRun) {
      return submissionPreviews.of(all, submitter);
    }
    return submissions
        .submit(all, body.length)
        .thenApply(acknowledged -> submitted(specs, acknowledged));
  }

  /** A request is stored whole, so its jobs are all new or all repeated. */
  private static Response submitted(List<JobSpec> specs, List<Acknowledgement> acknowledged) {
    List<JobAcknowledgement> list = new ArrayList<>();
    for (int number = 0; number < specs.size(); number++) {
      list.add(JobAnswers.acknowledgement(specs.get(number), acknowledged.get(number)));
    }
    JobAcknowledgements json = new JobAcknowledgements(list);
    return acknowledged.get(0).replayed()
        ? Response.ok(json).header(REPLAYED, "true").build()
        : Response.status(Response.Status.CREATED).entity(json).build();
  }

  /** Jobs without the values of their environment variables. */
  @Operation(operationId = "listJobs", summary = "Lists jobs, newest or oldest first")
  @GET
  @FromView
  @Shared
  @Blocking
  public RestResponse<Page<JobView>> list(
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("queue") @Nullable String queue,
      @QueryParam("clusterQueue") @Nullable String clusterQueue,
      @QueryParam("name") @Nullable String name,
      @QueryParam("priorityClass") @Nullable String priorityClass,
      @QueryParam("computeClass") @Nullable String computeClass,
      @QueryParam("team") @Nullable String team,
      @QueryParam("state") List<String> states,
      @QueryParam("blocker") @Nullable String blocker,
      @QueryParam("held") @Nullable Boolean held,
      @QueryParam("label") List<String> labels,
      @QueryParam("since") @Nullable String since,
      @QueryParam("until") @Nullable String until,
      @QueryParam("order") @DefaultValue(NEWEST) @OneOf({NEWEST, OLDEST}) String ordered,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    JobOrder order = ordered.equals(OLDEST) ? JobOrder.OLDEST : JobOrder.NEWEST;
    JobFilter filter =
        JobFilters.of(
            caller.readable(namespace),
            queue,
            clusterQueue,
            name,
            priorityClass,
            computeClass,
            team,
            states,
            held,
            labels,
            since,
            until);
    // Read before the rows, so that a watcher from there on misses nothing.
    long sequence = view.sequence();
    JobFilter.Cursor after = Pages.readJobs(cursor, order);
    Page<JobView> page =
        blocker == null
            ? page(jobs.list(filter, order, after, limit + 1), order, limit)
            : blocked(filter, order, after, JobFilters.blocker(blocker), limit);
    return RestResponse.ResponseBuilder.ok(page).header(SEQUENCE, sequence).build();
  }

  private Page<JobView> page(List<StoredJob> found, JobOrder order, int limit) {
    List<StoredJob> page = found.subList(0, Math.min(limit, found.size()));
    StoredJob last = found.size() > limit ? found.get(limit - 1) : null;
    return new Page<>(
        views(page),
        last == null
            ? null
            : Pages.write(new JobFilter.Cursor(last.origin().createdAt(), last.id()), order));
  }

  private Page<JobView> blocked(
      JobFilter filter,
      JobOrder order,
      JobFilter.@Nullable Cursor after,
      Blocker blocker,
      int limit) {
    BlockedJobs.Found found = blockedJobs.page(filter, order, after, blocker, limit);
    // A batch may have changed the blocker of a job since it was found.
    List<JobView> items =
        views(found.jobs()).stream()
            .filter(job -> blocker.name().equals(job.status().blocker()))
            .toList();
    JobFilter.Cursor next = found.next();
    return new Page<>(items, next == null ? null : Pages.write(next, order));
  }

  private List<JobView> views(List<StoredJob> jobs) {
    Map<JobId, Explanation> reasons =
        explanations.explain(jobs.stream().filter(JobResource::waits).map(StoredJob::id).toList());
    return jobs.stream()
        .map(
            job ->
                JobAnswers.of(
                    job,
                    reasons.get(job.id()),
                    explanations.waitsFor(job),
                    explanations.expectedStart(job),
                    true))
        .toList();
  }

  /** Whether the state of a job calls for a reason. */
  private static boolean waits(StoredJob job) {
    return switch (job.state()) {
      case PENDING, ADMITTED, DRAINING -> true;
      case RUNNING -> job.indices().progress().stalledSince() != null;
      case SUBMITTED, SUCCEEDED, FAILED, CANCELLED -> false;
    };
  }

  /** One job; only who may submit in its namespace reads its environment variables. */
  @Operation(operationId = "getJob", summary = "Reads a job")
  @APIResponseSchema(value = JobView.class, responseCode = "200")
  @GET
  @FromView
  @Path("/{id}")
  @Blocking
  public Response get(@PathParam("id") JobId id) {
    long sequence = view.sequence();
    StoredJob job = lookup.get(id);
    CommittedView.Answer<Optional<Explanation>> explanation = explanations.explain(job.id());
    JobView found =
        JobAnswers.of(
            job,
            waits(job) ? explanation.value().orElse(null) : null,
            explanations.waitsFor(job),
            explanations.expectedStart(job),
            !caller.get().may(Right.SUBMIT, job.origin().namespace()));
    JobStatus status =
        found
            .status()
            .with(
                AcceleratorAnswers.of(explanations.acceleratorUse(job)),
                JobAnswers.priced(found) ? JobAnswers.cost(costs.find(job.id())) : null);
    return Response.ok(found.withStatus(status)).header(SEQUENCE, sequence).build();
  }

  /** Cancels a job; answers when the request is durable. */
  @Operation(operationId = "cancelJob", summary = "Requests the cancellation of a job")
  @APIResponseSchema(value = JobAccepted.class, responseCode = "202")
  @POST
  @RolesAllowed(Right.OPERATES)
  @Path("/{id}/cancel")
  @Blocking
  public Response cancel(@PathParam("id") JobId id) {
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    return accept(id, AuditEntry.Action.CANCEL, detail, Input.CancelJob::new);
  }

  /**
   * Holds a job: nothing of it is admitted until it is released. Answers when the request is
   * durable.
   */
  @Operation(
      operationId = "holdJob",
      summary = "Requests a hold: nothing more of the job is admitted")
  @APIResponseSchema(value = JobAccepted.class, responseCode = "202")
  @POST
  @RolesAllowed(Right.OPERATES)
  @Path("/{id}/hold")
  @Blocking
  public Response hold(
      @PathParam("id") JobId id,
      @QueryParam("running") @DefaultValue(EVICT) @OneOf({EVICT, LEAVE}) String running) {
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    detail.put("running", running);
    return accept(
        id,
        AuditEntry.Action.HOLD,
        detail,
        (job, who) -> new Input.HoldJob(job, who, running.equals(LEAVE)));
  }

  /** Releases a held job; answers when the request is durable. */
  @Operation(operationId = "releaseJob", summary = "Requests the release of a held job")
  @APIResponseSchema(value = JobAccepted.class, responseCode = "202")
  @POST
  @RolesAllowed(Right.OPERATES)
  @Path("/{id}/release")
  @Blocking
  public Response release(@PathParam("id") JobId id) {
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    return accept(id, AuditEntry.Action.RELEASE, detail, Input.ReleaseJob::new);
  }

  /**
   * Gives a job another priority class; answers when the request is durable. The job's place is
   * then as if it had always had that class.
   */
  @Operation(operationId = "prioritizeJob", summary = "Requests another priority class for a job")
  @APIResponseSchema(value = JobPrioritized.class, responseCode = "202")
  @POST
  @RolesAllowed(Right.OPERATES)
  @Path("/{id}/prioritize")
  @Blocking
  public Response prioritize(
      @PathParam("id") JobId id, @QueryParam("class") @Nullable String className) {
    String wanted = Parameters.name("class", className);
    StoredJob job = lookup.get(id);
    Caller who = caller.require(Right.OPERATE, job.origin().namespace());
    if (job.state().terminal()) {
      throw new RefusedException(
          RefusedException.Kind.CONFLICT, "job " + job.id() + " has ended: it is " + job.state());
    }
    WorkloadPriority priority = priorities.prioritize(job, wanted, who);
    return Response.accepted(
            new JobPrioritized(job.id().toString(), job.state().name(), wanted, priority.value()))
        .build();
  }

  /**
   * Stores a request durably; a job that has ended accepts none.
   *
   * @param wish makes the input from the job and the name of its caller
   */
  private Response accept(
      JobId id,
      AuditEntry.Action action,
      ObjectNode detail,
      BiFunction<JobId, String, Input> wish) {
    StoredJob job = lookup.get(id);
    Caller who = caller.require(Right.OPERATE, job.origin().namespace());
    if (!job.state().terminal()) {
      inputs.append(
          List.of(wish.apply(job.id(), who.name())),
          List.of(
              new AuditEntry(
                  who,
                  action,
                  "Job",
                  job.origin().namespace(),
                  job.origin().name(),
                  job.id(),
                  detail)));
    }
    return Response.accepted(new JobAccepted(job.id().toString(), job.state().name())).build();
  }

  /** Why a job is not running, until when, and which change would let it start. */
  @Operation(operationId = "explainJob", summary = "Explains why a job is not running")
  @APIResponseSchema(value = JobExplanation.class, responseCode = "200")
  @GET
  @FromView
  @Path("/{id}/explanation")
  @Blocking
  public Response explanation(
      @PathParam("id") JobId id,
      @QueryParam("alternatives") @DefaultValue("false") boolean alternatives) {
    StoredJob job = lookup.get(id);
    CommittedView.Answer<Optional<JobExplanations.Verified>> answer =
        explanations.explainByTrial(job.id(), alternatives);
    JobExplanation body =
        explanations.answer(job, answer.value(), pipelines.runOf(job.id().value()));
    return Response.ok(body).header(SEQUENCE, answer.sequence()).build();
  }
}
