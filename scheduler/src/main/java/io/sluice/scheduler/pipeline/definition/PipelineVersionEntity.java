// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.definition;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;

/** A row of {@code pipeline_version}, which never changes. */
@Entity
@Immutable
@Table(name = "pipeline_version")
@IdClass(PipelineVersionEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields.
class PipelineVersionEntity {
  /** Its primary key. */
  record Key(String namespace, String name, int version) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  @Id String namespace;
  @Id String name;
  @Id int version;

  @JdbcTypeCode(SqlTypes.JSON)
  String manifest;

  @Column(name = "saved_at")
  Instant savedAt;

  @Column(name = "saved_by")
  String savedBy;
}
