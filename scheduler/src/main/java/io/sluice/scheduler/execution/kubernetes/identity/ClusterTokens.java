// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.execution.kubernetes.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.github.bucket4j.Bucket;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.IdentityTokens;
import io.sluice.scheduler.security.SignIn;
import io.sluice.scheduler.security.Token;
import io.sluice.scheduler.security.Verdict;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates tokens of ServiceAccounts by asking the default cluster (TokenReview), which knows
 * of deleted accounts and pods. The caller has the name that the cluster gives, such as {@code
 * system:serviceaccount:vision:trainer}, and its groups. An accepted token is remembered for a
 * minute by its hash.
 */
final class ClusterTokens implements IdentityTokens {
  private static final Duration REMEMBERED = Duration.ofMinutes(1);
  private static final int REMEMBERED_MAX = 10_000;
  private static final int FORBIDDEN = 403;

  /** Strangers can send anything: what they cause at the API server is bounded. */
  private static final int REVIEWS_PER_SECOND = 20;

  /** Groups that a caller has by being known; a role for them would be one for everybody. */
  private static final String EVERYBODY = "system:authenticated";

  private static final Pattern FORM =
      Pattern.compile("[A-Za-z0-9_-]+\\.([A-Za-z0-9_-]+)\\.[A-Za-z0-9_-]+");

  /** Claim that Kubernetes puts into tokens of ServiceAccounts. */
  private static final String MARK = "kubernetes.io";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String REFUSED = "the token of the cluster is refused: ";

  private final Supplier<KubernetesClient> cluster;
  private final String audience;
  private final InstantSource clock;
  private final Bucket reviews =
      Bucket.builder()
          .addLimit(
              limit ->
                  limit
                      .capacity(REVIEWS_PER_SECOND)
                      .refillGreedy(REVIEWS_PER_SECOND, Duration.ofSeconds(1)))
          .build();
  private final Cache<String, SignIn> accepted =
      Caffeine.newBuilder().maximumSize(REMEMBERED_MAX).expireAfterWrite(REMEMBERED).build();

  /**
   * Tokens of a cluster.
   *
   * @param audience for which they must have been issued
   */
  ClusterTokens(Supplier<KubernetesClient> cluster, String audience, InstantSource clock) {
    this.cluster = cluster;
    this.audience = audience;
    this.clock = clock;
  }

  @Override
  public boolean isExpected(String token) {
    JsonNode claims = claims(token);
    return claims != null && claims.path(MARK).isObject();
  }

  /** The claims, which nobody has verified; null: it is no signed JWT. */
  private static @Nullable JsonNode claims(String token) {
    Matcher form = FORM.matcher(token);
    if (!form.matches()) {
      return null;
    }
    try {
      return JSON.readTree(Base64.getUrlDecoder().decode(form.group(1)));
    } catch (IOException | IllegalArgumentException garbage) {
      return null;
    }
  }

  @Override
  public @Nullable Verdict known(String token) {
    SignIn signIn = accepted.getIfPresent(Token.digest(token));
    if (signIn == null) {
      return null;
    }
    Instant until = signIn.until();
    return until != null && !clock.instant().isBefore(until)
        ? Verdict.refused(REFUSED + "it expired " + until)
        : Verdict.known(signIn);
  }

  @Override
  public Verdict verify(String token) {
    if (!reviews.tryConsume(1)) {
      return Verdict.providerUnanswered("too many tokens of the cluster wait to be verified");
    }
    TokenReview question =
        new TokenReviewBuilder()
            .withNewSpec()
            .withToken(token)
            .withAudiences(audience)
            .endSpec()
            .build();
    try {
      TokenReviewStatus status = cluster.get().tokenReviews().create(question).getStatus();
      return status == null || !Boolean.TRUE.equals(status.getAuthenticated())
          ? Verdict.refused(REFUSED + reason(status))
          : accept(token, status);
    } catch (KubernetesClientException failure) {
      return Verdict.providerUnanswered(
          failure.getCode() == FORBIDDEN
              ? "the server's account may not create tokenreviews in the cluster"
              : "the cluster does not verify tokens: " + failure.getClass().getSimpleName());
    }
  }

  private String reason(@Nullable TokenReviewStatus status) {
    String error = status == null ? null : status.getError();
    return error == null || error.isBlank()
        ? "it is expired, or not for the audience " + audience
        : error.replaceAll("[^\\x20-\\x7e]", "?");
  }

  private Verdict accept(String token, TokenReviewStatus status) {
    if (!status.getAudiences().contains(audience)) {
      // API servers without support for audiences accept tokens for any.
      return Verdict.refused(REFUSED + "it is not for the audience " + audience);
    }
    TreeSet<String> groups = new TreeSet<>(status.getUser().getGroups());
    groups.remove(EVERYBODY);
    Caller caller = new Caller(status.getUser().getUsername(), groups, List.of());
    SignIn signIn = new SignIn(caller, expiry(token), null, null);
    accepted.put(Token.digest(token), signIn);
    return Verdict.known(signIn);
  }

  private static @Nullable Instant expiry(String token) {
    JsonNode claims = claims(token);
    JsonNode expiry = claims == null ? null : claims.get("exp");
    return expiry == null || !expiry.isNumber() ? null : Instant.ofEpochSecond(expiry.asLong());
  }
}
