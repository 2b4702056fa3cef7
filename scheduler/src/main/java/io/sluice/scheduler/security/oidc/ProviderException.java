// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.oidc;

/** The identity provider did not answer, or refused a sign-in. */
public final class ProviderException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean unanswered;

  private ProviderException(String message, boolean unanswered) {
    super(message);
    this.unanswered = unanswered;
  }

  static ProviderException unanswered(String issuer, String reason) {
    return new ProviderException(
        "the identity provider %s does not answer: %s".formatted(issuer, reason), true);
  }

  static ProviderException refused(String reason) {
    return new ProviderException(reason, false);
  }

  /** Whether the same request may succeed when the provider answers. */
  public boolean isUnanswered() {
    return unanswered;
  }
}
