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
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Set;

/**
 * Bearer tokens that are known. Another way to know callers is another mechanism beside this one.
 */
@Singleton
public class TokenAuthentication implements HttpAuthenticationMechanism {
  private static final String SCHEME = "Bearer ";
  private static final int UNAUTHORIZED = 401;

  private final KnownTokens tokens;

  TokenAuthentication(KnownTokens tokens) {
    this.tokens = tokens;
  }

  @Override
  public Uni<SecurityIdentity> authenticate(
      RoutingContext context, IdentityProviderManager providers) {
    String header = context.request().getHeader(HttpHeaders.AUTHORIZATION);
    if (header == null) {
      return Uni.createFrom().nullItem();
    }
    if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return refused("Authorization must be Bearer and a token");
    }
    KnownTokens.Verdict verdict = tokens.judge(header.substring(SCHEME.length()).strip());
    Caller caller = verdict.caller();
    if (caller == null) {
      return refused(verdict.refusal());
    }
    CurrentCaller.set(context, caller);
    return Uni.createFrom()
        .item(
            QuarkusSecurityIdentity.builder()
                .setPrincipal(new QuarkusPrincipal(caller.name()))
                .addRoles(caller.role().includes())
                .build());
  }

  private static Uni<SecurityIdentity> refused(String reason) {
    return Uni.createFrom().failure(new AuthenticationFailedException(reason));
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
