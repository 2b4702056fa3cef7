// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.queuemodel.InvalidValueException;
import io.sluice.scheduler.api.denial.DenialRecorder;
import io.sluice.scheduler.recheck.RecheckRefusedException;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.TokenAuthentication;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.UnstorableException;
import io.sluice.scheduler.submission.RefusedException;
import io.sluice.scheduler.watch.WatchRefusedException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Converts every exception to a problem document; a stack trace goes to the log only. */
class Problems {
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int NOT_ACCEPTABLE = 406;
  private static final int BODY_TOO_LARGE = 413;
  private static final int UNSUPPORTED_TYPE = 415;
  private static final int FAULTS_MIN = 500;
  private static final Logger LOG = Logger.getLogger(Problems.class);

  private final CurrentCaller caller;
  private final DenialRecorder denials;

  Problems(CurrentCaller caller, DenialRecorder denials) {
    this.caller = caller;
    this.denials = denials;
  }

  @ServerExceptionMapper
  Response problem(ProblemException failure) {
    return ProblemAnswers.of(failure.kind(), failure.detail());
  }

  @ServerExceptionMapper
  Response invalidManifest(InvalidManifestException invalid) {
    return ProblemAnswers.of(
        ProblemKind.INVALID_MANIFEST, invalid.violations().get(0).toString(), invalid.violations());
  }

  @ServerExceptionMapper
  Response invalidValue(InvalidValueException invalid) {
    return ProblemAnswers.of(ProblemKind.BAD_REQUEST, String.valueOf(invalid.getMessage()));
  }

  @ServerExceptionMapper
  Response refused(RefusedException refused) {
    RefusedException.Refusal refusal = refused.refusal();
    Response answer =
        ProblemAnswers.of(kind(refusal.kind()), refusal.detail(), refusal.violations());
    Long generation = refusal.generation();
    return generation == null
        ? answer
        : Response.fromResponse(answer).tag(EntityTags.of(generation)).build();
  }

  private static ProblemKind kind(RefusedException.Kind kind) {
    return switch (kind) {
      case UNPROCESSABLE -> ProblemKind.REFUSED;
      case CONFLICT -> ProblemKind.CONFLICT;
      case ALREADY_EXISTS -> ProblemKind.ALREADY_EXISTS;
      case IN_USE -> ProblemKind.IN_USE;
      case KEY_REUSED -> ProblemKind.IDEMPOTENCY_KEY_REUSED;
      case NOT_FOUND -> ProblemKind.NOT_FOUND;
      case LIMIT_REACHED -> ProblemKind.TOO_MANY_PENDING_JOBS;
      case STALE -> ProblemKind.PRECONDITION_FAILED;
      case OVERLOADED -> ProblemKind.OVERLOADED;
    };
  }

  @ServerExceptionMapper
  Response recheckRefused(RecheckRefusedException refused) {
    ProblemKind kind =
        switch (refused.kind()) {
          case NOT_THERE -> ProblemKind.NOT_FOUND;
          case GONE -> ProblemKind.GONE;
          case OTHER_ENGINE -> ProblemKind.OTHER_ENGINE;
          case CONTRADICTION -> ProblemKind.CONTRADICTION;
          case TOO_MUCH -> ProblemKind.OVERLOADED;
        };
    return ProblemAnswers.of(kind, String.valueOf(refused.getMessage()));
  }

  @ServerExceptionMapper
  Response watchRefused(WatchRefusedException refused) {
    ProblemKind kind =
        switch (refused.kind()) {
          case GONE -> ProblemKind.GONE;
          case TOO_MANY -> ProblemKind.OVERLOADED;
        };
    return ProblemAnswers.of(kind, String.valueOf(refused.getMessage()));
  }

  @ServerExceptionMapper
  Response unauthorized(UnauthorizedException unknown) {
    return unauthorized(TokenAuthentication.NEEDED);
  }

  @ServerExceptionMapper
  Response authenticationFailed(AuthenticationFailedException failed) {
    String reason = String.valueOf(failed.getMessage());
    return switch (TokenAuthentication.kind(failed)) {
      case DATABASE_UNANSWERED -> ProblemAnswers.of(ProblemKind.DATABASE_UNAVAILABLE, reason);
      case PROVIDER_UNANSWERED ->
          ProblemAnswers.of(ProblemKind.IDENTITY_PROVIDER_UNAVAILABLE, reason);
      case KNOWN, ABSENT, REFUSED -> unauthorized(reason);
    };
  }

  private static Response unauthorized(String detail) {
    return Response.fromResponse(ProblemAnswers.of(ProblemKind.UNAUTHORIZED, detail))
        .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
        .build();
  }

  @ServerExceptionMapper
  Response forbidden(ForbiddenException forbidden, ContainerRequestContext request) {
    String detail = forbidden.getMessage();
    Caller who = caller.find();
    if (detail == null) {
      detail = who == null ? "nobody may do this" : who.described() + ", may not do this";
    }
    if (who != null) {
      denials.record(who, request.getMethod() + " " + request.getUriInfo().getPath(), detail);
    }
    return ProblemAnswers.of(ProblemKind.FORBIDDEN, detail);
  }

  @ServerExceptionMapper
  Response store(StoreException failure) {
    LOG.warn(failure.getMessage());
    if (failure instanceof UnstorableException refused && refused.isOfValues()) {
      return refused(
          new RefusedException(
              RefusedException.Kind.UNPROCESSABLE,
              "the database cannot store a value of this request (SQLSTATE %s)"
                  .formatted(refused.sqlState())));
    }
    return ProblemAnswers.of(
        ProblemKind.DATABASE_UNAVAILABLE,
        "the database did not answer; try again, with the same Idempotency-Key if you gave one");
  }

  @ServerExceptionMapper
  Response completion(CompletionException failure) {
    Throwable cause = failure.getCause();
    if (cause instanceof RefusedException refused) {
      return refused(refused);
    }
    if (cause instanceof StoreException store) {
      return store(store);
    }
    if (cause instanceof ProblemException known) {
      return problem(known);
    }
    return unexpected(failure);
  }

  @ServerExceptionMapper
  Response http(WebApplicationException failure, ContainerRequestContext request) {
    if (failure.getCause() instanceof ProblemException known) {
      return problem(known); // thrown by a converter
    }
    Response.StatusType status = failure.getResponse().getStatusInfo();
    String path = Parameters.shown(request.getUriInfo().getPath());
    return switch (status.getStatusCode()) {
      case NOT_FOUND -> ProblemAnswers.of(ProblemKind.UNKNOWN_PATH, "there is nothing at " + path);
      case METHOD_NOT_ALLOWED ->
          ProblemAnswers.of(
              ProblemKind.METHOD_NOT_ALLOWED, request.getMethod() + " is not possible at " + path);
      case NOT_ACCEPTABLE ->
          ProblemAnswers.of(
              ProblemKind.NOT_ACCEPTABLE,
              "nothing at " + path + " is " + header(request, "Accept"));
      case BODY_TOO_LARGE ->
          ProblemAnswers.of(ProblemKind.BODY_TOO_LARGE, "the body is too large for " + path);
      case UNSUPPORTED_TYPE ->
          ProblemAnswers.of(
              ProblemKind.UNSUPPORTED_MEDIA_TYPE,
              path + " does not read Content-Type " + header(request, "Content-Type"));
      default ->
          status.getStatusCode() < FAULTS_MIN
              ? ProblemAnswers.of(ProblemKind.BAD_REQUEST, status.getReasonPhrase() + " at " + path)
              : unexpected(failure);
    };
  }

  private static String header(ContainerRequestContext request, String name) {
    return Parameters.shown(String.valueOf(request.getHeaderString(name)));
  }

  @ServerExceptionMapper
  Response unexpected(RuntimeException failure) {
    String reference = UUID.randomUUID().toString();
    LOG.errorf(failure, "a request failed, reference %s", reference);
    return ProblemAnswers.of(
        ProblemKind.INTERNAL_ERROR, "something went wrong here; the log has it as " + reference);
  }
}
