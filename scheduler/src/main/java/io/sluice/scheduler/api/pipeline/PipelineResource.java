// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.pipeline;

import io.sluice.manifests.Configuration;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.pipeline.Pipeline;
import io.sluice.restmodel.Page;
import io.sluice.restmodel.pipeline.PipelineDeletion;
import io.sluice.restmodel.pipeline.Run;
import io.sluice.restmodel.pipeline.RunRequest;
import io.sluice.restmodel.pipeline.SavedPipeline;
import io.sluice.scheduler.api.Bodies;
import io.sluice.scheduler.api.EntityTags;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.ObjectName;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.pipeline.Pipelines;
import io.sluice.scheduler.pipeline.StepCheck;
import io.sluice.scheduler.pipeline.definition.StoredPipeline;
import io.sluice.scheduler.pipeline.run.StoredRun;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.submission.Precondition;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Pipelines over REST: save, list, get, delete, and begin a run. */
@Tag(name = "Pipelines")
@Path("/v1/pipelines")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
@Blocking
class PipelineResource {
  private static final int FIRST_DOCUMENT = 1;

  private final Pipelines pipelines;
  private final StepCheck steps;
  private final Configuration configuration;
  private final CurrentCaller caller;

  PipelineResource(
      Pipelines pipelines, StepCheck steps, Configuration configuration, CurrentCaller caller) {
    this.steps = steps;
    this.pipelines = pipelines;
    this.configuration = configuration;
    this.caller = caller;
  }

  /**
   * Saves a pipeline: creates it, or a new version if it differs from the stored one. With
   * If-Match, only if the stored one has that version.
   */
  @Operation(
      operationId = "savePipeline",
      summary = "Saves a pipeline: creates it, or a new version of it")
  @APIResponseSchema(value = SavedPipeline.class, responseCode = "201")
  @APIResponse(
      responseCode = "200",
      description = "The pipeline existed",
      content = @Content(schema = @Schema(implementation = SavedPipeline.class)))
  @POST
  @RolesAllowed(Right.SUBMITS)
  @Consumes(MediaType.WILDCARD)
  public Response save(byte[] body, @Context HttpHeaders headers) {
    Pipeline pipeline = Bodies.pipeline(body, configuration.readingTerms());
    Caller who = caller.require(Right.SUBMIT, pipeline.meta().namespace());
    List<String> warnings = new ArrayList<>();
    Pipelines.Saved saved =
        pipelines.save(
            pipeline,
            EntityTags.ifMatch(headers),
            who,
            connection -> warnings.addAll(steps.check(connection, FIRST_DOCUMENT, pipeline)));
    SavedPipeline stored = PipelineAnswers.pipeline(saved.stored(), warnings);
    Response.ResponseBuilder answer =
        saved.created()
            ? Response.status(Response.Status.CREATED)
                .header(HttpHeaders.LOCATION, path(pipeline))
                .entity(stored)
            : Response.ok(stored);
    return answer.tag(EntityTags.of(saved.stored().version())).build();
  }

  private static String path(Pipeline pipeline) {
    return "/v1/pipelines/" + pipeline.meta().namespace() + "/" + pipeline.meta().name();
  }

  /** Pipelines, ordered by namespace and name. */
  @Operation(operationId = "listPipelines", summary = "Lists pipelines by namespace and name")
  @GET
  public Page<SavedPipeline> list(
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor) {
    List<StoredPipeline> found =
        pipelines.list(caller.readable(namespace), Pages.readNamed(cursor), limit + 1);
    return Pages.of(found, limit, PipelineAnswers::masked, PipelineResource::cursor);
  }

  private static String cursor(StoredPipeline last) {
    ObjectMeta meta = last.pipeline().meta();
    return Pages.writeNamed(meta.namespace(), meta.name());
  }

  @Operation(operationId = "getPipeline", summary = "Reads a pipeline")
  @APIResponseSchema(value = SavedPipeline.class, responseCode = "200")
  @GET
  @Path("/{namespace}/{name}")
  public Response get(
      @PathParam("namespace") @ObjectName String namespace,
      @PathParam("name") @ObjectName String name,
      @Context HttpHeaders headers) {
    caller.require(Right.READ, namespace);
    StoredPipeline found = pipelines.find(namespace, name);
    Response.ResponseBuilder answer =
        EntityTags.isKnown(headers, found.version())
            ? Response.notModified()
            : Response.ok(
                caller.get().may(Right.SUBMIT, namespace)
                    ? PipelineAnswers.pipeline(found, List.of())
                    : PipelineAnswers.masked(found));
    return answer.tag(EntityTags.of(found.version())).build();
  }

  /**
   * Deletes a pipeline; its runs continue and can still be read.
   *
   * @param dryRun true: only checks that it exists, and has the version of If-Match
   */
  @Operation(operationId = "deletePipeline", summary = "Deletes a pipeline; its runs stay")
  @APIResponse(responseCode = "204", description = "The pipeline was deleted")
  @APIResponse(
      responseCode = "200",
      description = "A dry run: what would be deleted",
      content = @Content(schema = @Schema(implementation = PipelineDeletion.class)))
  @DELETE
  @RolesAllowed(Right.SUBMITS)
  @Path("/{namespace}/{name}")
  public Response delete(
      @PathParam("namespace") @ObjectName String namespace,
      @PathParam("name") @ObjectName String name,
      @QueryParam("dryRun") @DefaultValue("false") boolean dryRun,
      @Context HttpHeaders headers) {
    Caller who = caller.require(Right.SUBMIT, namespace);
    Precondition precondition = EntityTags.ifMatch(headers);
    if (dryRun) {
      Pipeline found = pipelines.find(namespace, name, precondition).pipeline();
      return Response.ok(PipelineAnswers.wouldBeDeleted(found)).build();
    }
    pipelines.remove(namespace, name, precondition, who);
    return Response.noContent().build();
  }

  /**
   * Begins a run, with the parameters and the logical time in the body, which may be empty.
   *
   * @param key idempotency key: a repetition returns the same run
   */
  @Operation(operationId = "startRun", summary = "Starts a run of a pipeline")
  @APIResponseSchema(value = Run.class, responseCode = "201")
  @RequestBody(
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON,
              schema = @Schema(implementation = RunRequest.class)))
  @POST
  @RolesAllowed(Right.SUBMITS)
  @Path("/{namespace}/{name}/runs")
  @Consumes(MediaType.WILDCARD)
  public Response begin(
      @PathParam("namespace") @ObjectName String namespace,
      @PathParam("name") @ObjectName String name,
      byte[] body,
      @HeaderParam("Idempotency-Key") @Nullable String key) {
    Caller who = caller.require(Right.SUBMIT, namespace);
    RunRequest request = RunBodies.run(body);
    Pipelines.Asked asked =
        new Pipelines.Asked(
            RunBodies.parameters(request), request.logicalTime(), Parameters.key(key));
    StoredRun run = pipelines.begin(namespace, name, asked, who);
    return Response.status(Response.Status.CREATED)
        .header(HttpHeaders.LOCATION, "/v1/runs/" + run.id())
        .entity(RunAnswers.run(run))
        .build();
  }
}
