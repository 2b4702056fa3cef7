// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.quota;

import io.sluice.manifests.Configuration;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.manifests.document.Violation;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.ObjectKind;
import io.sluice.queuemodel.quota.QuotaObject;
import io.sluice.restmodel.preview.ApplyAnswer;
import io.sluice.restmodel.preview.ApplyResult;
import io.sluice.restmodel.quota.QuotaObjectPage;
import io.sluice.restmodel.quota.QuotaObjectView;
import io.sluice.scheduler.api.Bodies;
import io.sluice.scheduler.api.EntityTags;
import io.sluice.scheduler.api.FieldSelection;
import io.sluice.scheduler.api.Pages;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.Whole;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.explanation.EditPreviews;
import io.sluice.scheduler.api.explanation.PreviewAnswers;
import io.sluice.scheduler.api.sharing.Shared;
import io.sluice.scheduler.execution.AcceleratorUse;
import io.sluice.scheduler.execution.Executor;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.quota.StoredObject;
import io.sluice.scheduler.submission.Precondition;
import io.sluice.scheduler.submission.QuotaAdministration;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Quota objects in Kueue's schema over REST: create, list, get, update, delete. */
@Tag(name = "Quota")
@Path("/v1/{kinds: " + QuotaPaths.PATTERN + "}")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
@Blocking
class QuotaResource {
  private final QuotaAdministration administration;
  private final QuotaAnswers answers;
  private final Executor executor;
  private final CurrentCaller caller;
  private final EditPreviews previews;
  private final QuotaWarnings warnings;
  private final Configuration configuration;

  QuotaResource(
      QuotaAdministration administration,
      CommittedView view,
      CurrentCaller caller,
      EditPreviews previews,
      QuotaWarnings warnings,
      Configuration configuration,
      Executor executor) {
    this.configuration = configuration;
    this.previews = previews;
    this.warnings = warnings;
    this.caller = caller;
    this.administration = administration;
    this.answers = new QuotaAnswers(view);
    this.executor = executor;
  }

  /**
   * Creates an object.
   *
   * @param dryRun true: checks it, stores nothing and answers with the changes
   */
  @Operation(operationId = "createQuotaObject", summary = "Creates a quota object")
  @APIResponseSchema(value = QuotaObjectView.class, responseCode = "201")
  @APIResponse(
      responseCode = "200",
      description = "A dry run: what would change",
      content = @Content(schema = @Schema(implementation = ApplyAnswer.class)))
  @POST
  @RolesAllowed(Right.DIVIDES)
  @Consumes(MediaType.WILDCARD)
  public Response create(
      @PathParam("kinds") String kinds,
      @QueryParam("dryRun") @DefaultValue("false") boolean dryRun,
      byte[] body) {
    QuotaObject object =
        Bodies.quotaObject(QuotaPaths.kind(kinds), body, configuration.readingTerms());
    ObjectKey key = object.key();
    Caller who = caller.get();
    if (dryRun) {
      return preview(key, "created", () -> administration.create(object, who));
    }
    StoredObject stored = administration.create(object, who);
    String place = key.namespace().isEmpty() ? key.name() : key.namespace() + "/" + key.name();
    return Response.created(URI.create("/v1/" + kinds + "/" + place))
        .tag(EntityTags.of(stored.generation()))
        .entity(answer(stored))
        .build();
  }

  /** Objects of a kind, ordered by namespace and name. */
  @Operation(
      operationId = "listQuotaObjects",
      summary = "Lists the objects of a kind by namespace and name")
  @GET
  @Shared
  public QuotaObjectPage list(
      @PathParam("kinds") String kinds,
      @QueryParam("limit") @DefaultValue(Pages.DEFAULT) @Whole(min = 1, max = Pages.MAX) int limit,
      @QueryParam("cursor") @Nullable String cursor,
      @Context UriInfo request) {
    ObjectKind kind = QuotaPaths.kind(kinds);
    boolean warned =
        kind == ObjectKind.CLUSTER_QUEUE
            && cursor == null
            && FieldSelection.wants(request, "warnings");
    List<StoredObject> found =
        administration.list(kind, Pages.readObjects(kind, cursor), limit + 1);
    Map<JobId, AcceleratorUse> uses = executor.acceleratorUse();
    return new QuotaObjectPage(
        found.stream().limit(limit).map(stored -> answers.of(stored, uses)).toList(),
        found.size() > limit ? Pages.write(found.get(limit - 1).object().key()) : null,
        warned ? QuotaWarnings.shown(warnings.find()) : null);
  }

  /** A cluster-scoped object. */
  @Operation(operationId = "getQuotaObject", summary = "Reads an object that has no namespace")
  @APIResponseSchema(value = QuotaObjectView.class, responseCode = "200")
  @GET
  @Path("/{name}")
  public Response get(
      @PathParam("kinds") String kinds,
      @PathParam("name") String name,
      @Context HttpHeaders headers) {
    return get(key(kinds, "", name), headers);
  }

  /** A namespaced object. */
  @Operation(operationId = "getNamespacedQuotaObject", summary = "Reads an object of a namespace")
  @APIResponseSchema(value = QuotaObjectView.class, responseCode = "200")
  @GET
  @Path("/{namespace}/{name}")
  public Response get(
      @PathParam("kinds") String kinds,
      @PathParam("namespace") String namespace,
      @PathParam("name") String name,
      @Context HttpHeaders headers) {
    return get(key(kinds, namespace, name), headers);
  }

  private Response get(ObjectKey key, HttpHeaders headers) {
    StoredObject stored = administration.find(key);
    if (stored == null) {
      throw ProblemException.notFound("there is no " + key);
    }
    Response.ResponseBuilder answer =
        EntityTags.isKnown(headers, stored.generation())
            ? Response.notModified()
            : Response.ok(answer(stored));
    return answer.tag(EntityTags.of(stored.generation())).build();
  }

  /**
   * Changes a cluster-scoped object.
   *
   * @param dryRun as of {@link #create}
   */
  @Operation(operationId = "updateQuotaObject", summary = "Changes an object that has no namespace")
  @APIResponse(
      responseCode = "200",
      description = "The object; of a dry run, what would change",
      content =
          @Content(
              schema =
                  @Schema(
                      title = "UpdateQuotaObjectAnswer",
                      anyOf = {QuotaObjectView.class, ApplyAnswer.class})))
  @PUT
  @RolesAllowed(Right.DIVIDES)
  @Path("/{name}")
  @Consumes(MediaType.WILDCARD)
  public Response update(
      @PathParam("kinds") String kinds,
      @PathParam("name") String name,
      @QueryParam("dryRun") @DefaultValue("false") boolean dryRun,
      @Context HttpHeaders headers,
      byte[] body) {
    return update(key(kinds, "", name), dryRun, headers, body);
  }

  /**
   * Changes a namespaced object.
   *
   * @param dryRun as of {@link #create}
   */
  @Operation(
      operationId = "updateNamespacedQuotaObject",
      summary = "Changes an object of a namespace")
  @APIResponse(
      responseCode = "200",
      description = "The object; of a dry run, what would change",
      content =
          @Content(
              schema =
                  @Schema(
                      title = "UpdateQuotaObjectAnswer",
                      anyOf = {QuotaObjectView.class, ApplyAnswer.class})))
  @PUT
  @RolesAllowed(Right.DIVIDES)
  @Path("/{namespace}/{name}")
  @Consumes(MediaType.WILDCARD)
  public Response update(
      @PathParam("kinds") String kinds,
      @PathParam("namespace") String namespace,
      @PathParam("name") String name,
      @QueryParam("dryRun") @DefaultValue("false") boolean dryRun,
      @Context HttpHeaders headers,
      byte[] body) {
    return update(key(kinds, namespace, name), dryRun, headers, body);
  }

  private Response update(ObjectKey key, boolean dryRun, HttpHeaders headers, byte[] body) {
    QuotaObject object = Bodies.quotaObject(key.kind(), body, configuration.readingTerms());
    if (!object.key().equals(key)) {
      throw new InvalidManifestException(
          List.of(
              new Violation(
                  1,
                  "metadata.name",
                  object.key().toString(),
                  "must be " + key + ", as the path")));
    }
    Precondition precondition = EntityTags.ifMatch(headers);
    Caller who = caller.get();
    if (dryRun) {
      return preview(key, "configured", () -> administration.update(object, precondition, who));
    }
    StoredObject stored = administration.update(object, precondition, who);
    return Response.ok(answer(stored)).tag(EntityTags.of(stored.generation())).build();
  }

  /**
   * Deletes a cluster-scoped object that nothing uses.
   *
   * @param dryRun as of {@link #create}
   */
  @Operation(
      operationId = "deleteQuotaObject",
      summary = "Deletes an object without a namespace that nothing uses")
  @APIResponse(responseCode = "204", description = "The object was deleted")
  @APIResponse(
      responseCode = "200",
      description = "A dry run: what would change",
      content = @Content(schema = @Schema(implementation = ApplyAnswer.class)))
  @DELETE
  @RolesAllowed(Right.DIVIDES)
  @Path("/{name}")
  public Response delete(
      @PathParam("kinds") String kinds,
      @PathParam("name") String name,
      @QueryParam("dryRun") @DefaultValue("false") boolean dryRun,
      @Context HttpHeaders headers) {
    return delete(key(kinds, "", name), dryRun, headers);
  }

  /**
   * Deletes a namespaced object that nothing uses.
   *
   * @param dryRun as of {@link #create}
   */
  @Operation(
      operationId = "deleteNamespacedQuotaObject",
      summary = "Deletes an object of a namespace that nothing uses")
  @APIResponse(responseCode = "204", description = "The object was deleted")
  @APIResponse(
      responseCode = "200",
      description = "A dry run: what would change",
      content = @Content(schema = @Schema(implementation = ApplyAnswer.class)))
  @DELETE
  @RolesAllowed(Right.DIVIDES)
  @Path("/{namespace}/{name}")
  public Response delete(
      @PathParam("kinds") String kinds,
      @PathParam("namespace") String namespace,
      @PathParam("name") String name,
      @QueryParam("dryRun") @DefaultValue("false") boolean dryRun,
      @Context HttpHeaders headers) {
    return delete(key(kinds, namespace, name), dryRun, headers);
  }

  private Response delete(ObjectKey key, boolean dryRun, HttpHeaders headers) {
    Precondition precondition = EntityTags.ifMatch(headers);
    Caller who = caller.get();
    if (dryRun) {
      return preview(
          key,
          "deleted",
          () -> {
            administration.delete(key, precondition, who);
            return key;
          });
    }
    administration.delete(key, precondition, who);
    return Response.noContent().build();
  }

  private <T> Response preview(ObjectKey key, String result, Supplier<T> write) {
    EditPreviews.Previewed<T> previewed = previews.of(write, written -> List.of());
    ApplyResult one =
        QuotaAnswers.applied(key, previewed.changes() ? result : "unchanged", List.of());
    return Response.ok(
            new ApplyAnswer(
                true, List.of(one), PreviewAnswers.of(previewed, caller.readable()), null))
        .build();
  }

  private static ObjectKey key(String kinds, String namespace, String name) {
    ObjectKind kind = QuotaPaths.kind(kinds);
    if (kind.namespaced() == namespace.isEmpty()) {
      String form = kind.namespaced() ? "/{namespace}/{name}" : "/{name}";
      throw ProblemException.notFound("a " + kind + " is at /v1/" + kinds + form);
    }
    if (!Parameters.storable(namespace + name)) {
      throw ProblemException.notFound("there is no %s %s".formatted(kind, Parameters.shown(name)));
    }
    return new ObjectKey(kind, namespace, name);
  }

  private QuotaObjectView answer(StoredObject stored) {
    return answers.of(stored, executor.acceleratorUse());
  }
}
