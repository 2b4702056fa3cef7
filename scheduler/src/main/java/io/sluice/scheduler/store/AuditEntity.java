// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** A row of {@code audit}, archived or not. {@link AuditRows} writes it, and nothing changes it. */
@Entity
@Immutable
@Table(name = "any_audit")
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields.
class AuditEntity {
  @Id Long id;
  Instant at;
  String caller;
  String role;
  String action;
  String kind;
  String namespace;
  String name;

  @Column(name = "job_id")
  @Nullable UUID job;

  @JdbcTypeCode(SqlTypes.JSON)
  String detail;
}
