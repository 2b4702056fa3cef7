// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.definition;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/** A row of {@code pipeline}. */
@Entity
@Table(name = "pipeline")
@IdClass(PipelineEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields.
class PipelineEntity {
  /** Its primary key. */
  record Key(String namespace, String name) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  @Id String namespace;
  @Id String name;
  int version;

  @JdbcTypeCode(SqlTypes.JSON)
  String manifest;

  long runs;

  @Column(name = "created_at")
  Instant createdAt;

  @Column(name = "updated_at")
  Instant updatedAt;

  @Column(name = "updated_by")
  String updatedBy;
}
