// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.quota;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/** A row of {@code quota_object}. */
@Entity
@Table(name = "quota_object")
@IdClass(QuotaObjectEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields.
class QuotaObjectEntity {
  /** Its primary key. */
  record Key(String kind, String namespace, String name) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  @Id String kind;
  @Id String namespace;
  @Id String name;
  long generation;

  @JdbcTypeCode(SqlTypes.JSON)
  String manifest;

  @Column(name = "created_at")
  Instant createdAt;

  @Column(name = "changed_at")
  Instant changedAt;
}
