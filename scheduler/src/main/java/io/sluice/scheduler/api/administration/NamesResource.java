// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.administration;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agroal.api.AgroalDataSource;
import io.sluice.restmodel.administration.NamedObject;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.Parameters.OneOf;
import io.sluice.scheduler.api.ProblemAnswers;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.ProblemKind;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.quota.NameReader;
import io.sluice.scheduler.store.quota.NameReader.Named;
import io.sluice.scheduler.store.quota.NamedKind;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/** Resolves names of jobs, runs, pipelines, schedules and LocalQueues. */
@Tag(name = "Names")
@Path("/v1/names/{kind}")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed(Right.READS)
@Blocking
class NamesResource {
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final String READ = "read";
  private static final String CHANGE = "change";

  private final NameReader reader;
  private final CurrentCaller caller;
  private final ObjectMapper mapper;

  NamesResource(AgroalDataSource database, CurrentCaller caller, ObjectMapper mapper) {
    this.reader = new NameReader(database);
    this.caller = caller;
    this.mapper = mapper;
  }

  /**
   * The parts of a reference as written by the caller.
   *
   * @param namespace null: the caller gave none
   */
  private record Reference(NamedKind kind, String name, @Nullable String namespace) {}

  /**
   * The object that a name identifies.
   *
   * @param name a name, {@code NAMESPACE/NAME}, or an id
   * @param purpose {@code read} or {@code change}
   */
  @Operation(operationId = "resolveName", summary = "Finds the object that a name means")
  @APIResponseSchema(value = NamedObject.class, responseCode = "200")
  @APIResponse(responseCode = "409", ref = "Problem409")
  @GET
  public Response resolve(
      @PathParam("kind") String kind,
      @QueryParam("name") @Nullable String name,
      @QueryParam("namespace") @Nullable String namespace,
      @QueryParam("purpose") @DefaultValue(READ) @OneOf({READ, CHANGE}) String purpose) {
    Reference asked = reference(kind(kind), name, namespace);
    boolean change = purpose.equals(CHANGE);
    boolean open = asked.kind() == NamedKind.LOCAL_QUEUE && !change;
    if (asked.namespace() != null && !open) {
      caller.require(change ? Right.OPERATE : Right.READ, asked.namespace());
    }
    if (asked.kind().hasId() && ID.matcher(asked.name()).matches()) {
      return Response.ok(answer(asked.kind(), byId(asked), null)).build();
    }
    NameResolution resolution = new NameResolution(reader, caller.get(), change);
    NameResolution.Found found = resolution.find(asked.kind(), asked.name(), asked.namespace());
    if (found.candidates().isEmpty()) {
      throw ProblemException.notFound(
          resolution.absence(asked.kind(), asked.name(), asked.namespace()));
    }
    if (found.candidates().size() > 1) {
      return ambiguous(asked, found);
    }
    Named only = found.candidates().get(0);
    Long others = asked.kind() == NamedKind.JOB && !change ? others(only) : null;
    return Response.ok(answer(asked.kind(), only, others)).build();
  }

  private static NamedKind kind(String word) {
    NamedKind kind = NamedKind.of(word);
    if (kind == null) {
      throw ProblemException.notFound(
          "there are no names of %s: one of %s"
              .formatted(
                  Parameters.shown(word),
                  String.join(
                      ", ", Arrays.stream(NamedKind.values()).map(NamedKind::word).toList())));
    }
    return kind;
  }

  private static Reference reference(
      NamedKind kind, @Nullable String text, @Nullable String namespace) {
    if (text == null || text.isEmpty()) {
      throw ProblemException.badRequest("name is required");
    }
    List<String> parts = List.of(text.split("/", -1));
    if (parts.size() == kind.parts()) {
      return new Reference(kind, text, namespace);
    }
    if (parts.size() != kind.parts() + 1) {
      throw ProblemException.badRequest(
          "name must be %s, or the same with NAMESPACE/ before it, it is %s"
              .formatted(kind.parts() == 1 ? "NAME" : "PIPELINE/NAME", Parameters.shown(text)));
    }
    String own = parts.get(0);
    if (namespace != null && !namespace.equals(own)) {
      throw ProblemException.badRequest(
          "name %s is of another namespace than %s"
              .formatted(Parameters.shown(text), Parameters.shown(namespace)));
    }
    return new Reference(kind, text.substring(own.length() + 1), own);
  }

  private Named byId(Reference asked) {
    Named found = reader.find(asked.kind(), UUID.fromString(asked.name()));
    String namespace = asked.namespace();
    if (found == null
        || !caller.readable().contains(found.namespace())
        || (namespace != null && !namespace.equals(found.namespace()))) {
      throw ProblemException.notFound(
          "there is no %s %s%s"
              .formatted(
                  asked.kind().word(),
                  asked.name(),
                  namespace == null ? "" : " in namespace " + Parameters.shown(namespace)));
    }
    return found;
  }

  private Response ambiguous(Reference asked, NameResolution.Found found) {
    String detail = NameResolution.ambiguity(asked.kind(), asked.name(), found);
    ObjectNode problem = ProblemAnswers.document(ProblemKind.AMBIGUOUS_NAME, detail);
    List<NamedObject> candidates =
        found.candidates().stream()
            .limit(NameReader.FOUND_MAX - 1)
            .map(candidate -> answer(asked.kind(), candidate, null))
            .toList();
    problem.set("candidates", mapper.valueToTree(candidates));
    problem.put("more", found.candidates().size() == NameReader.FOUND_MAX);
    return ProblemAnswers.of(ProblemKind.AMBIGUOUS_NAME, problem);
  }

  /** The number of other live jobs of that name in the namespace, up to a limit; null: none. */
  private @Nullable Long others(Named job) {
    long others =
        reader.liveJobs(job.name(), List.of(job.namespace())).stream()
            .filter(other -> !other.equals(job))
            .count();
    return others == 0 ? null : others;
  }

  private static NamedObject answer(NamedKind kind, Named found, @Nullable Long otherLiveJobs) {
    return new NamedObject(
        kind.kind(),
        found.namespace(),
        found.name(),
        found.id() == null ? null : found.id().toString(),
        found.state(),
        found.createdAt(),
        otherLiveJobs);
  }
}
