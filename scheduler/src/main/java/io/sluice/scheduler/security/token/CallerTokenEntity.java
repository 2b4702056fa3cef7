// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.security.token;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of {@code caller_token}. */
@Entity
@Table(name = "caller_token")
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields.
class CallerTokenEntity {
  @Id String name;
  String role;
  String[] namespaces;
  String digest;

  @Column(name = "former_digest")
  @Nullable String formerDigest;

  @Column(name = "former_until")
  @Nullable Instant formerUntil;

  @Column(name = "created_at")
  Instant createdAt;

  @Column(name = "created_by")
  String createdBy;

  @Column(name = "rotated_at")
  @Nullable Instant rotatedAt;

  @Column(name = "expires_at")
  @Nullable Instant expiresAt;

  @Column(name = "last_used_at")
  @Nullable Instant lastUsedAt;
}
