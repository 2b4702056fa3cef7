// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.session;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of {@code sign_in_code}. */
@Entity
@Table(name = "sign_in_code")
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields.
class SignInCodeEntity {
  @Id String digest;
  String caller;
  String[] groups;

  @Column(name = "token_digest")
  @Nullable String tokenDigest;

  @Column(name = "credential_until")
  @Nullable Instant credentialUntil;

  @Column(name = "expires_at")
  Instant expiresAt;
}
