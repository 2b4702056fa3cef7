// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.oidc;

import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.oauth2.sdk.GeneralException;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLSocketFactory;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The connection to an identity provider. It reads the provider's metadata when they are needed
 * first, so that a server starts without the provider, and keeps the provider's keys.
 */
final class ProviderConnection {
  private static final int TIMEOUT_MILLIS = (int) Duration.ofSeconds(5).toMillis();
  private static final int BYTES_MAX = 1 << 20;
  private static final Duration KEYS_FRESH = Duration.ofMinutes(10);

  /** How long keys that were read stay valid while the provider does not answer. */
  private static final Duration KEYS_KEPT = Duration.ofHours(12);

  /** Within this time the keys are read twice at most, whatever keys tokens name. */
  private static final Duration KEYS_EVERY = Duration.ofSeconds(10);

  /** The least time between two attempts to read the metadata. */
  private static final Duration METADATA_EVERY = Duration.ofSeconds(2);

  private static final Logger LOG = Logger.getLogger(ProviderConnection.class);

  private final String issuer;
  private final @Nullable SSLSocketFactory trust;
  private final LongSupplier nanos;
  private volatile @Nullable Known known;
  private @Nullable String failure;
  private long nextTryNanos;

  /**
   * What is known of the provider.
   *
   * @param keys by which tokens are verified
   */
  record Known(OIDCProviderMetadata metadata, JWKSource<SecurityContext> keys) {}

  /**
   * A connection that asks nothing yet.
   *
   * @param trust null: certificates of the authorities that the JDK knows
   * @param nanos a monotonic clock, as {@link System#nanoTime}
   */
  ProviderConnection(String issuer, @Nullable SSLSocketFactory trust, LongSupplier nanos) {
    this.issuer = issuer;
    this.trust = trust;
    this.nanos = nanos;
    this.nextTryNanos = nanos.getAsLong();
  }

  String issuer() {
    return issuer;
  }

  /**
   * The metadata and the keys.
   *
   * @throws ProviderException if the provider does not answer and never did
   */
  Known get() throws ProviderException {
    Known current = known;
    return current == null ? discover() : current;
  }

  private synchronized Known discover() throws ProviderException {
    Known current = known;
    if (current != null) {
      return current;
    }
    String before = failure;
    if (before != null && nanos.getAsLong() - nextTryNanos < 0) {
      throw ProviderException.unanswered(issuer, before);
    }
    try {
      OIDCProviderMetadata metadata =
          OIDCProviderMetadata.resolve(new Issuer(issuer), this::configure);
      URI keys = metadata.getJWKSetURI();
      if (keys == null) {
        throw new GeneralException("its metadata have no jwks_uri");
      }
      Known read = new Known(metadata, keys(keys));
      known = read;
      LOG.infof("read the metadata of the identity provider %s", issuer);
      return read;
    } catch (IOException | GeneralException | IllegalArgumentException failed) {
      String reason = String.valueOf(failed.getMessage());
      if (before == null) {
        LOG.warnf("the identity provider %s does not answer: %s", issuer, reason);
      }
      failure = reason;
      nextTryNanos = nanos.getAsLong() + METADATA_EVERY.toNanos();
      throw ProviderException.unanswered(issuer, reason);
    }
  }

  private JWKSource<SecurityContext> keys(URI from) throws IOException {
    return JWKSourceBuilder.create(
            from.toURL(),
            new DefaultResourceRetriever(TIMEOUT_MILLIS, TIMEOUT_MILLIS, BYTES_MAX, true, trust))
        .cache(KEYS_FRESH.toMillis(), 2L * TIMEOUT_MILLIS)
        .refreshAheadCache(false)
        .rateLimited(KEYS_EVERY.toMillis())
        .outageTolerant(KEYS_KEPT.toMillis())
        .build();
  }

  private void configure(HTTPRequest request) {
    request.setConnectTimeout(TIMEOUT_MILLIS);
    request.setReadTimeout(TIMEOUT_MILLIS);
    request.setFollowRedirects(false);
    if (trust != null) {
      request.setSSLSocketFactory(trust);
    }
  }

  /** Sends a request to the provider. */
  HTTPResponse send(HTTPRequest request) throws ProviderException {
    configure(request);
    try {
      return request.send();
    } catch (IOException failed) {
      throw ProviderException.unanswered(issuer, String.valueOf(failed.getMessage()));
    }
  }
}
