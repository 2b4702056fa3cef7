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
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Set;

/**
 * Tells Quarkus the caller that {@link Authentication} has found before: by a token of Sluice, by a
 * token of the identity provider, or by a session.
 */
@Singleton
public class TokenAuthentication implements HttpAuthenticationMechanism {
  /** The answer to a request without a token. */
  public static final String NEEDED =
      "a token is needed: Authorization: Bearer and the token; that of whoever runs the server is"
          + " in its data directory";

  private static final String KIND = "io.sluice.kind";
  private static final int UNAUTHORIZED = 401;

  private final Authentication authentication;

  TokenAuthentication(Authentication authentication) {
    this.authentication = authentication;
  }

  @Override
  public Uni<SecurityIdentity> authenticate(
      RoutingContext context, IdentityProviderManager providers) {
    Verdict verdict = authentication.of(context);
    if (verdict.kind() == Verdict.Kind.ABSENT) {
      return Uni.createFrom().nullItem();
    }
    SignIn known = verdict.signIn();
    if (known == null) {
      return Uni.createFrom()
          .failure(
              new AuthenticationFailedException(verdict.refusal(), Map.of(KIND, verdict.kind())));
    }
    CurrentCaller.set(context, known);
    return Uni.createFrom()
        .item(
            QuarkusSecurityIdentity.builder()
                .setPrincipal(new QuarkusPrincipal(known.caller().name()))
                .addRoles(known.caller().words())
                .build());
  }

  /** The kind of the reason why an authentication failed. */
  public static Verdict.Kind kind(AuthenticationFailedException failed) {
    return failed.getAttributes().get(KIND) instanceof Verdict.Kind kind
        ? kind
        : Verdict.Kind.REFUSED;
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
