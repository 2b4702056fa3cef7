// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.oidc;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.sluice.scheduler.security.IdentityTokens;
import io.sluice.scheduler.security.SignIn;
import io.sluice.scheduler.security.Token;
import io.sluice.scheduler.security.Verdict;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Date;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Verifies tokens that the identity provider signed. A verified token is remembered for a minute by
 * its hash, so that most requests need neither a signature check nor a wait.
 */
final class ProviderTokens implements IdentityTokens {
  /** Difference of the clocks of the provider and of this server that is allowed, in seconds. */
  static final int SKEW_SECONDS = 30;

  /** Signatures by a private key: a secret that both sides know would let this server sign. */
  static final Set<JWSAlgorithm> ALGORITHMS = signatures();

  private static final Duration REMEMBERED = Duration.ofMinutes(1);
  private static final int REMEMBERED_MAX = 10_000;
  private static final String REFUSED = "the token of the identity provider is refused: ";

  /** Three parts in base64url; the last is empty without a signature. */
  private static final Pattern FORM =
      Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*");

  private final ProviderSettings settings;
  private final ProviderConnection provider;
  private final ClaimedCaller claims;
  private final InstantSource clock;
  private final Cache<String, SignIn> verified =
      Caffeine.newBuilder().maximumSize(REMEMBERED_MAX).expireAfterWrite(REMEMBERED).build();

  ProviderTokens(
      ProviderSettings settings,
      ProviderConnection provider,
      ClaimedCaller claims,
      InstantSource clock) {
    this.settings = settings;
    this.provider = provider;
    this.claims = claims;
    this.clock = clock;
  }

  private static Set<JWSAlgorithm> signatures() {
    Set<JWSAlgorithm> all = new HashSet<>();
    all.addAll(JWSAlgorithm.Family.RSA);
    all.addAll(JWSAlgorithm.Family.EC);
    return Set.copyOf(all);
  }

  @Override
  public boolean isExpected(String token) {
    return FORM.matcher(token).matches();
  }

  @Override
  public @Nullable Verdict known(String token) {
    SignIn signIn = verified.getIfPresent(Token.digest(token));
    if (signIn == null) {
      return null;
    }
    Instant until = signIn.until();
    boolean expired = until != null && !clock.instant().isBefore(until.plusSeconds(SKEW_SECONDS));
    return expired ? Verdict.refused(REFUSED + "it expired " + until) : Verdict.known(signIn);
  }

  @Override
  public Verdict verify(String token) {
    try {
      SignedJWT parsed = SignedJWT.parse(token);
      checkIssuer(parsed.getJWTClaimsSet());
      JWTClaimsSet verifiedClaims = processor().process(parsed, null);
      SignIn signIn = signIn(verifiedClaims);
      verified.put(Token.digest(token), signIn);
      return Verdict.known(signIn);
    } catch (ProviderException unanswered) {
      return Verdict.providerUnanswered(String.valueOf(unanswered.getMessage()));
    } catch (RateLimitReachedException often) {
      return Verdict.refused(
          REFUSED + "its key is not known, and the keys were read a moment ago: try again later");
    } catch (KeySourceException unread) {
      return Verdict.providerUnanswered(
          "the keys of the identity provider %s cannot be read: %s"
              .formatted(settings.issuer(), unread.getMessage()));
    } catch (ParseException | BadJOSEException | JOSEException | IllegalArgumentException wrong) {
      return Verdict.refused(REFUSED + shown(String.valueOf(wrong.getMessage())));
    }
  }

  /** Before its key is searched for: keys of others are none of this provider. */
  private void checkIssuer(@Nullable JWTClaimsSet token) throws BadJWTException {
    String issuer = token == null ? null : token.getIssuer();
    if (!settings.issuer().equals(issuer)) {
      throw new BadJWTException(
          "its issuer must be %s, it is %s".formatted(settings.issuer(), issuer));
    }
  }

  private DefaultJWTProcessor<SecurityContext> processor() throws ProviderException {
    DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    processor.setJWSTypeVerifier(
        new DefaultJOSEObjectTypeVerifier<>(
            JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(ALGORITHMS, provider.get().keys()));
    DefaultJWTClaimsVerifier<SecurityContext> verifier =
        new DefaultJWTClaimsVerifier<>(
            new JWTClaimsSet.Builder().issuer(settings.issuer()).build(), Set.of("exp"));
    verifier.setMaxClockSkew(SKEW_SECONDS);
    processor.setJWTClaimsSetVerifier(verifier);
    return processor;
  }

  private SignIn signIn(JWTClaimsSet token) throws BadJWTException {
    if (Collections.disjoint(token.getAudience(), settings.audiences())) {
      throw new BadJWTException(
          "its audience must be one of %s, it is %s"
              .formatted(settings.audiences(), token.getAudience()));
    }
    Date expiry = token.getExpirationTime();
    return new SignIn(claims.read(token), expiry == null ? null : expiry.toInstant(), null, null);
  }

  /** Text of a token in a message: printable, and not long. */
  private static String shown(String text) {
    String printable = text.replaceAll("[^\\x20-\\x7e]", "?");
    return printable.length() > SHOWN_MAX ? printable.substring(0, SHOWN_MAX) + "..." : printable;
  }

  private static final int SHOWN_MAX = 300;
}
