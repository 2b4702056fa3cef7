// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jwt.JWT;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponse;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.SignIn;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The sign-in of a browser at the identity provider: the authorization code flow with PKCE (RFC
 * 7636). Nothing is kept between its two requests but a cookie of the browser, so that any server
 * can finish a sign-in.
 */
public final class BrowserSignIn {
  private final ProviderSettings settings;
  private final ProviderConnection provider;
  private final ClaimedCaller claims;

  BrowserSignIn(ProviderSettings settings, ProviderConnection provider, ClaimedCaller claims) {
    this.settings = settings;
    this.provider = provider;
    this.claims = claims;
  }

  /**
   * A sign-in that has begun.
   *
   * @param provider where the browser goes
   * @param attempt what it must bring back in a cookie
   */
  public record Begun(URI provider, SignInAttempt attempt) {}

  /**
   * Begins a sign-in.
   *
   * @param callback where the provider sends the browser
   * @param target the path that the browser shows in the end
   */
  public Begun begin(URI callback, String target) throws ProviderException {
    OIDCProviderMetadata metadata = provider.get().metadata();
    URI endpoint = metadata.getAuthorizationEndpointURI();
    if (endpoint == null) {
      throw ProviderException.refused("the identity provider has no authorization endpoint");
    }
    State state = new State();
    Nonce nonce = new Nonce();
    CodeVerifier verifier = new CodeVerifier();
    AuthenticationRequest request =
        new AuthenticationRequest.Builder(
                ResponseType.CODE, scopes(metadata), new ClientID(settings.clientId()), callback)
            .endpointURI(endpoint)
            .state(state)
            .nonce(nonce)
            .codeChallenge(verifier, CodeChallengeMethod.S256)
            .build();
    return new Begun(
        request.toURI(),
        new SignInAttempt(state.getValue(), nonce.getValue(), verifier.getValue(), target));
  }

  /** Claims of the scopes {@code email} and {@code groups} are asked for where they exist. */
  private static Scope scopes(OIDCProviderMetadata metadata) {
    Scope scope = new Scope("openid", "profile", "email");
    Scope supported = metadata.getScopes();
    if (supported != null && supported.contains("groups")) {
      scope.add("groups");
    }
    return scope;
  }

  /**
   * Finishes a sign-in.
   *
   * @param callback as at its beginning
   * @param answer the parameters by which the provider sent the browser back
   * @throws ProviderException if the provider refused it or does not answer, or if the answer is
   *     not that to the attempt
   */
  public SignIn finish(URI callback, Map<String, List<String>> answer, SignInAttempt attempt)
      throws ProviderException {
    try {
      AuthenticationResponse response = AuthenticationResponseParser.parse(callback, answer);
      State state = response.getState();
      if (state == null || !state.getValue().equals(attempt.state())) {
        throw ProviderException.refused(
            "the answer is not that to the last sign-in of this browser: begin again");
      }
      Issuer issuer = response.getIssuer();
      if (issuer != null && !issuer.getValue().equals(settings.issuer())) {
        throw ProviderException.refused("the answer is of another issuer: " + issuer);
      }
      if (!response.indicatesSuccess()) {
        throw ProviderException.refused(described(response.toErrorResponse().getErrorObject()));
      }
      AuthorizationCode code = response.toSuccessResponse().getAuthorizationCode();
      if (code == null) {
        throw ProviderException.refused("the answer of the identity provider has no code");
      }
      return signIn(idToken(callback, code, attempt), attempt);
    } catch (ParseException unreadable) {
      throw ProviderException.refused(
          "the answer of the identity provider cannot be read: " + unreadable.getMessage());
    }
  }

  private static String described(@Nullable ErrorObject error) {
    return error == null
        ? "the identity provider refused the sign-in"
        : "the identity provider refused the sign-in: %s, %s"
            .formatted(error.getCode(), error.getDescription());
  }

  private JWT idToken(URI callback, AuthorizationCode code, SignInAttempt attempt)
      throws ProviderException, ParseException {
    OIDCProviderMetadata metadata = provider.get().metadata();
    URI endpoint = metadata.getTokenEndpointURI();
    if (endpoint == null) {
      throw ProviderException.refused("the identity provider has no token endpoint");
    }
    AuthorizationCodeGrant grant =
        new AuthorizationCodeGrant(code, callback, new CodeVerifier(attempt.verifier()));
    TokenResponse response =
        OIDCTokenResponseParser.parse(
            provider.send(request(endpoint, metadata, grant).toHTTPRequest()));
    if (!(response instanceof OIDCTokenResponse success)) {
      throw ProviderException.refused(described(response.toErrorResponse().getErrorObject()));
    }
    JWT token = success.getOIDCTokens().getIDToken();
    if (token == null) {
      throw ProviderException.refused("the identity provider sent no ID token");
    }
    return token;
  }

  private TokenRequest request(
      URI endpoint, OIDCProviderMetadata metadata, AuthorizationCodeGrant grant) {
    ClientID client = new ClientID(settings.clientId());
    String secret = settings.clientSecret();
    if (secret == null) {
      return new TokenRequest.Builder(endpoint, client, grant).build();
    }
    List<ClientAuthenticationMethod> methods = metadata.getTokenEndpointAuthMethods();
    boolean basic =
        methods == null || methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC);
    return new TokenRequest.Builder(
            endpoint,
            basic
                ? new ClientSecretBasic(client, new Secret(secret))
                : new ClientSecretPost(client, new Secret(secret)),
            grant)
        .build();
  }

  private SignIn signIn(JWT idToken, SignInAttempt attempt) throws ProviderException {
    try {
      IDTokenValidator validator =
          new IDTokenValidator(
              new Issuer(settings.issuer()),
              new ClientID(settings.clientId()),
              new JWSVerificationKeySelector<>(ProviderTokens.ALGORITHMS, provider.get().keys()),
              null);
      validator.setMaxClockSkew(ProviderTokens.SKEW_SECONDS);
      Caller caller =
          claims.read(validator.validate(idToken, new Nonce(attempt.nonce())).toJWTClaimsSet());
      return new SignIn(caller, null, null, null);
    } catch (KeySourceException unread) {
      throw ProviderException.unanswered(settings.issuer(), String.valueOf(unread.getMessage()));
    } catch (BadJOSEException | JOSEException | ParseException wrong) {
      throw ProviderException.refused(
          "the ID token of the identity provider is refused: " + wrong.getMessage());
    }
  }
}
