// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.session;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row of {@code caller_session}. */
@Entity
@Table(name = "caller_session")
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields.
class SessionEntity {
  @Id UUID id;
  String digest;
  String caller;
  String[] groups;

  @Column(name = "token_digest")
  @Nullable String tokenDigest;

  @Column(name = "created_at")
  Instant createdAt;

  @Column(name = "last_used_at")
  @Nullable Instant lastUsedAt;

  @Column(name = "expires_at")
  Instant expiresAt;
}
