// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.sluice.manifests.document.InvalidManifestException;
import io.sluice.queuemodel.InvalidValueException;
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
  static final int UNAUTHORIZED = 401;

  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int NOT_ACCEPTABLE = 406;
  private static final int GONE = 410;
  private static final int PRECONDITION_FAILED = 412;
  private static final int UNSUPPORTED_TYPE = 415;
  private static final int UNPROCESSABLE = 422;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int RETRY_SECONDS = 5;
  private static final Logger LOG = Logger.getLogger(Problems.class);

  private final CurrentCaller caller;

  Problems(CurrentCaller caller) {
    this.caller = caller;
  }

  @ServerExceptionMapper
  Response problem(ProblemException failure) {
    return failure.problem().toResponse();
  }

  @ServerExceptionMapper
  Response invalidManifest(InvalidManifestException invalid) {
    return new Problem(
            400, "Invalid manifest", invalid.violations().get(0).toString(), invalid.violations())
        .toResponse();
  }

  @ServerExceptionMapper
  Response invalidValue(InvalidValueException invalid) {
    return new Problem(400, "Bad request", String.valueOf(invalid.getMessage())).toResponse();
  }

  @ServerExceptionMapper
  Response refused(RefusedException refused) {
    RefusedException.Refusal refusal = refused.refusal();
    return switch (refusal.kind()) {
      case UNPROCESSABLE ->
          new Problem(UNPROCESSABLE, "Refused", refusal.detail(), refusal.violations())
              .toResponse();
      case CONFLICT -> new Problem(409, "Conflict", refusal.detail()).toResponse();
      case NOT_FOUND -> new Problem(404, "Not found", refusal.detail()).toResponse();
      case LIMIT_REACHED ->
          new Problem(TOO_MANY_REQUESTS, "Too many pending jobs", refusal.detail()).toResponse();
      case STALE -> stale(refusal);
      case OVERLOADED -> new Problem(503, "Overloaded", refusal.detail()).toResponse();
    };
  }

  @ServerExceptionMapper
  Response recheckRefused(RecheckRefusedException refused) {
    String detail = String.valueOf(refused.getMessage());
    return switch (refused.kind()) {
      case NOT_THERE -> new Problem(404, "Not found", detail).toResponse();
      case GONE -> new Problem(GONE, "Past its retention", detail).toResponse();
      case OTHER_ENGINE -> new Problem(409, "Decided by another engine", detail).toResponse();
      case CONTRADICTION -> new Problem(409, "Contradiction", detail).toResponse();
      case TOO_MUCH -> new Problem(503, "Overloaded", detail).toResponse();
    };
  }

  @ServerExceptionMapper
  Response watchRefused(WatchRefusedException refused) {
    String detail = String.valueOf(refused.getMessage());
    return switch (refused.kind()) {
      case GONE -> new Problem(GONE, "Not in the journal", detail).toResponse();
      case TOO_MANY ->
          Response.fromResponse(new Problem(503, "Overloaded", detail).toResponse())
              .header(HttpHeaders.RETRY_AFTER, RETRY_SECONDS)
              .build();
    };
  }

  private static Response stale(RefusedException.Refusal refusal) {
    Response answer =
        new Problem(PRECONDITION_FAILED, "Precondition failed", refusal.detail()).toResponse();
    Long generation = refusal.generation();
    return generation == null
        ? answer
        : Response.fromResponse(answer).tag(EntityTags.of(generation)).build();
  }

  @ServerExceptionMapper
  Response unauthorized(UnauthorizedException unknown) {
    return unauthorized(TokenAuthentication.NEEDED);
  }

  @ServerExceptionMapper
  Response authenticationFailed(AuthenticationFailedException failed) {
    return unauthorized(String.valueOf(failed.getMessage()));
  }

  private static Response unauthorized(String detail) {
    return Response.fromResponse(new Problem(UNAUTHORIZED, "Unauthorized", detail).toResponse())
        .header(HttpHeaders.WWW_AUTHENTICATE, "Bearer")
        .build();
  }

  @ServerExceptionMapper
  Response forbidden(ForbiddenException forbidden) {
    String detail = forbidden.getMessage();
    if (detail == null) {
      Caller who = caller.find();
      detail =
          who == null
              ? "nobody may do this"
              : "%s, a %s, may not do this".formatted(who.name(), who.role().word());
    }
    return new Problem(403, "Forbidden", detail).toResponse();
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
    return new Problem(
            503,
            "Database not available",
            "the database did not answer; try again, with the same Idempotency-Key if you gave one")
        .toResponse();
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
    String detail =
        switch (status.getStatusCode()) {
          case NOT_FOUND -> "there is nothing at " + path;
          case METHOD_NOT_ALLOWED -> request.getMethod() + " is not possible at " + path;
          case NOT_ACCEPTABLE -> "nothing at " + path + " is " + header(request, "Accept");
          case UNSUPPORTED_TYPE ->
              path + " does not read Content-Type " + header(request, "Content-Type");
          default -> status.getReasonPhrase() + " at " + path;
        };
    return new Problem(status.getStatusCode(), status.getReasonPhrase(), detail).toResponse();
  }

  private static String header(ContainerRequestContext request, String name) {
    return Parameters.shown(String.valueOf(request.getHeaderString(name)));
  }

  @ServerExceptionMapper
  Response unexpected(RuntimeException failure) {
    String reference = UUID.randomUUID().toString();
    LOG.errorf(failure, "a request failed, reference %s", reference);
    return new Problem(
            500, "Internal error", "something went wrong here; the log has it as " + reference)
        .toResponse();
  }
}
