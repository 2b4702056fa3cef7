// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AuthenticationRequest;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Authenticates requests by bearer tokens. Another way of authentication would be another mechanism
 * beside this one.
 */
@Singleton
public class TokenAuthentication implements HttpAuthenticationMechanism {
  /** The answer to a request without a token. */
  public static final String NEEDED =
      "a token is needed: Authorization: Bearer and the token; that of whoever runs the server is"
          + " in its data directory";

  private static final String SCHEME = "Bearer ";
  private static final String UNANSWERED = "io.sluice.unanswered";
  private static final int UNAUTHORIZED = 401;

  private final KnownTokens tokens;
  private final GivenRoles roles;

  TokenAuthentication(KnownTokens tokens, GivenRoles roles) {
    this.tokens = tokens;
    this.roles = roles;
  }

  @Override
  public Uni<SecurityIdentity> authenticate(
      RoutingContext context, IdentityProviderManager providers) {
    String header = context.request().getHeader(HttpHeaders.AUTHORIZATION);
    if (header == null) {
      return Uni.createFrom().nullItem();
    }
    KnownTokens.Verdict verdict = judge(header);
    Caller known = verdict.caller();
    if (known == null) {
      return refused(verdict);
    }
    Caller caller = known.with(roles.of(known.name(), known.groups()));
    CurrentCaller.set(context, caller);
    return Uni.createFrom()
        .item(
            QuarkusSecurityIdentity.builder()
                .setPrincipal(new QuarkusPrincipal(caller.name()))
                .addRoles(caller.words())
                .build());
  }

  /**
   * The reason why the caller of a request is unknown.
   *
   * @param unanswered whether the database did not answer, so that the same request may succeed
   */
  public record Refusal(String reason, boolean unanswered) {}

  /** Whether an authentication failed because the database did not answer. */
  public static boolean isUnanswered(AuthenticationFailedException failed) {
    return failed.getAttributes().containsKey(UNANSWERED);
  }

  /** The reason why the caller of a request is unknown; empty if it is known. */
  public Optional<Refusal> refusal(HttpServerRequest request) {
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    if (header == null) {
      return Optional.of(new Refusal(NEEDED, false));
    }
    KnownTokens.Verdict verdict = judge(header);
    return verdict.caller() == null
        ? Optional.of(new Refusal(verdict.refusal(), verdict.unanswered()))
        : Optional.empty();
  }

  /** The name of the caller of a request; empty if its token is missing or refused. */
  public Optional<String> callerName(HttpServerRequest request) {
    String header = request.getHeader(HttpHeaders.AUTHORIZATION);
    return Optional.ofNullable(header == null ? null : judge(header).caller()).map(Caller::name);
  }

  private KnownTokens.Verdict judge(String header) {
    return header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? tokens.judge(header.substring(SCHEME.length()).strip())
        : KnownTokens.Verdict.refused("Authorization must be Bearer and a token");
  }

  private static Uni<SecurityIdentity> refused(KnownTokens.Verdict verdict) {
    Map<String, Object> attributes = verdict.unanswered() ? Map.of(UNANSWERED, true) : Map.of();
    return Uni.createFrom()
        .failure(new AuthenticationFailedException(verdict.refusal(), attributes));
  }

  @Override
  public Uni<ChallengeData> getChallenge(RoutingContext context) {
    return Uni.createFrom().item(new ChallengeData(UNAUTHORIZED, "WWW-Authenticate", "Bearer"));
  }

  @Override
  public Set<Class<? extends AuthenticationRequest>> getCredentialTypes() {
    return Set.of();
  }
}
