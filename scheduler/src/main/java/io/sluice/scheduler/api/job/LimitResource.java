// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.agroal.api.AgroalDataSource;
import io.quarkus.security.ForbiddenException;
import io.sluice.admission.plan.LimitTrial;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.fact.JobEntry;
import io.sluice.manifests.ManifestReader;
import io.sluice.manifests.document.Manifest;
import io.sluice.manifests.field.DurationNotation;
import io.sluice.manifests.quota.QueueTimeLimits;
import io.sluice.queuemodel.event.Input;
import io.sluice.queuemodel.event.LimitEvent.TimeLimitRefused;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobLimits;
import io.sluice.queuemodel.quota.LocalQueue;
import io.sluice.queuemodel.quota.ObjectKey;
import io.sluice.queuemodel.quota.QueueKey;
import io.sluice.restmodel.job.JobLimited;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.api.ProblemKind;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Right;
import io.sluice.scheduler.store.AuditEntry;
import io.sluice.scheduler.store.input.InputWriter;
import io.sluice.scheduler.store.job.StoredJob;
import io.smallrye.common.annotation.Blocking;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponseSchema;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;

/**
 * Changes the time limit of a job. The request is checked against the last durable state, so that
 * its caller learns of planned starts in the way; the next round decides it for good.
 */
@Tag(name = "Jobs")
@Path("/v1/jobs/{id}/limit")
@Produces(MediaType.APPLICATION_JSON)
@Blocking
@RolesAllowed(Right.OPERATES)
class LimitResource {
  private static final String PARAMETER = "timeLimit";

  /** The value of the parameter for a job without a time limit. */
  private static final String NONE = "none";

  private final JobLookup jobs;
  private final CommittedView view;
  private final InputWriter inputs;
  private final CurrentCaller caller;

  LimitResource(
      JobLookup jobs, CommittedView view, AgroalDataSource database, CurrentCaller caller) {
    this.jobs = jobs;
    this.view = view;
    this.inputs = new InputWriter(database);
    this.caller = caller;
  }

  /**
   * Answers when the request is durable.
   *
   * @param text the new time limit, or {@value #NONE}
   * @param override true: an administrator accepts that planned starts of other jobs move
   */
  @Operation(operationId = "limitJob", summary = "Requests another time limit for a job")
  @APIResponseSchema(value = JobLimited.class, responseCode = "202")
  @POST
  public Response limit(
      @PathParam("id") JobId id,
      @QueryParam(PARAMETER) @Nullable String text,
      @QueryParam("override") @DefaultValue("false") boolean override) {
    Duration limit = read(text);
    StoredJob job = jobs.get(id);
    Caller who = caller.require(Right.OPERATE, job.origin().namespace());
    if (override && !who.mayEverywhere(Right.ADMINISTER)) {
      throw new ForbiddenException(
          who.described() + ", may not override: only an administrator may");
    }
    if (job.state().terminal()) {
      throw new ProblemException(
          ProblemKind.CONFLICT, "job " + job.id() + " has ended: it is " + job.state());
    }
    Manifest.JobManifest submitted = ManifestReader.readStoredJob(job.manifest());
    refuseBeyondObject(job, submitted, limit);
    if (!override) {
      refuseBeyondQueue(submitted.job().queueKey(), limit);
      refuseMoves(id, limit);
    }
    ObjectNode detail = JsonNodeFactory.instance.objectNode();
    detail.put(PARAMETER, shown(limit)).put("override", override);
    inputs.append(
        List.of(new Input.LimitJob(id, who.name(), limit, override)),
        List.of(
            new AuditEntry(
                who,
                AuditEntry.Action.LIMIT,
                "Job",
                job.origin().namespace(),
                job.origin().name(),
                id,
                detail)));
    return Response.accepted(
            new JobLimited(id.toString(), job.state().name(), limit == null ? null : shown(limit)))
        .build();
  }

  private static @Nullable Duration read(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      throw ProblemException.badRequest(
          PARAMETER + " is missing: a duration such as 90s or 1h30m, or " + NONE);
    }
    if (text.equals(NONE)) {
      return null;
    }
    Duration limit = Parameters.duration(PARAMETER, text);
    if (limit.compareTo(JobLimits.TIME_LIMIT_MIN) < 0
        || limit.compareTo(JobLimits.TIME_LIMIT_MAX) > 0) {
      throw ProblemException.badRequest(
          "%s must be between %s and %s, or %s, it is %s"
              .formatted(
                  PARAMETER,
                  DurationNotation.format(JobLimits.TIME_LIMIT_MIN),
                  DurationNotation.format(JobLimits.TIME_LIMIT_MAX),
                  NONE,
                  Parameters.shown(text)));
    }
    return limit;
  }

  /** Kubernetes ends the pods of an object at its own deadline, which Sluice does not change. */
  private static void refuseBeyondObject(
      StoredJob job, Manifest.JobManifest submitted, @Nullable Duration limit) {
    Duration deadline = submitted.job().limits().timeLimit();
    if (submitted.documents() != null && JobLimits.isLonger(limit, deadline)) {
      throw new ProblemException(
          ProblemKind.REFUSED,
          "%s: the activeDeadlineSeconds of the object of job %s ends it after %s; submit it anew for a longer limit"
              .formatted(PARAMETER, job.id(), deadline));
    }
  }

  private void refuseBeyondQueue(QueueKey key, @Nullable Duration limit) {
    LocalQueue queue =
        view.ask(state -> Optional.ofNullable(state.objects().localQueue(key)))
            .value()
            .orElse(null);
    if (queue != null) {
      QueueTimeLimits limits = QueueTimeLimits.of(queue);
      Duration longest = limits.longest();
      if (longest != null && !limits.allows(limit)) {
        throw new ProblemException(
            ProblemKind.REFUSED,
            "%s must be at most %s, it is %s: LocalQueue %s allows no longer one, unless an administrator overrides"
                .formatted(PARAMETER, DurationNotation.format(longest), shown(limit), key));
      }
    }
  }

  private static String shown(@Nullable Duration limit) {
    return limit == null ? NONE : DurationNotation.format(limit);
  }

  private void refuseMoves(JobId id, @Nullable Duration limit) {
    List<ObjectKey> crossed =
        view.ask(
                state -> {
                  JobEntry job = state.findJob(id);
                  return job == null
                      ? List.<ObjectKey>of()
                      : new LimitTrial(state, state.now()).crossed(job, limit);
                })
            .value();
    if (!crossed.isEmpty()) {
      throw new ProblemException(
          ProblemKind.CONFLICT,
          "with time limit %s, job %s could still run when %s begins; choose a shorter limit, or ask an administrator to override"
              .formatted(shown(limit), id, crossed.get(0)));
    }
    NamespaceScope readable = caller.readable();
    String moved = view.ask(state -> moved(state, id, limit, readable)).value();
    if (!moved.isEmpty()) {
      throw new ProblemException(
          ProblemKind.PLANNED_STARTS_MOVE,
          "time limit %s of job %s would move the planned starts of %s; choose a shorter limit, or ask an administrator to override"
              .formatted(shown(limit), id, moved));
    }
  }

  /** Names the first of the jobs whose planned starts would move; empty if there are none. */
  private static String moved(
      AdmissionState state, JobId id, @Nullable Duration limit, NamespaceScope readable) {
    JobEntry job = state.findJob(id);
    List<JobId> moved =
        job == null ? List.of() : new LimitTrial(state, state.now()).moved(job, limit);
    List<String> named = new ArrayList<>();
    for (JobId one : moved.subList(0, Math.min(moved.size(), TimeLimitRefused.NAMED_MAX))) {
      JobEntry other = state.findJob(one);
      if (other != null && readable.contains(other.workload().queue().namespace())) {
        named.add(other.workload().name() + " (" + one + ")");
      }
    }
    int others = moved.size() - named.size();
    if (others > 0) {
      named.add("%d other%s".formatted(others, others == 1 ? " job" : " jobs"));
    }
    return String.join(", ", named);
  }
}
