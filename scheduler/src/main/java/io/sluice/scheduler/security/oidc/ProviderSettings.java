// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.oidc;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an identity provider.
 *
 * @param issuer its issuer identifier, a URL
 * @param clientId the client that Sluice is at the provider
 * @param clientSecret null: a public client
 * @param audiences one of them must be in the claim {@code aud} of a token
 */
public record ProviderSettings(
    String issuer,
    String clientId,
    @Nullable String clientSecret,
    Set<String> audiences,
    Claims claims) {
  public ProviderSettings {
    audiences = Set.copyOf(audiences);
  }

  /**
   * The claims that name a caller.
   *
   * @param user the claim with the name of the user
   * @param groups the claim with the names of its groups
   */
  public record Claims(String user, String userPrefix, String groups, String groupsPrefix) {}

  /** The secret stays out of logs. */
  @Override
  public String toString() {
    return "ProviderSettings[" + issuer + ", " + clientId + "]";
  }
}
