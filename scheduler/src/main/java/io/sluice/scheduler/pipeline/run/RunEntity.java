// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.run;

import jakarta.persistence.Basic;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** A row of {@code pipeline_run}. {@link RunStart} writes it. */
@Entity
@Table(name = "pipeline_run")
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields.
class RunEntity {
  @Id UUID id;
  String namespace;
  String pipeline;
  int version;
  long number;
  @Nullable String schedule;

  @Column(name = "logical_time")
  Instant logicalTime;

  /** Not part of lists, since it may be large. */
  @Basic(fetch = FetchType.LAZY)
  @JdbcTypeCode(SqlTypes.JSON)
  String parameters;

  @Enumerated(EnumType.STRING)
  RunState state;

  @Enumerated(EnumType.STRING)
  @Nullable RunState ending;

  String reason;

  @Column(name = "created_by")
  String createdBy;

  @Column(name = "created_at")
  Instant createdAt;

  @Column(name = "started_at")
  @Nullable Instant startedAt;

  @Column(name = "ended_at")
  @Nullable Instant endedAt;

  @Column(name = "due_at")
  @Nullable Instant dueAt;

  @Column(name = "keep_until")
  @Nullable Instant keepUntil;

  @Nullable Instant deadline;

  @Column(name = "expected_earliest")
  @Nullable Instant expectedEarliest;

  @Column(name = "expected_latest")
  @Nullable Instant expectedLatest;

  @Column(name = "expected_at")
  @Nullable Instant expectedAt;

  @Enumerated(EnumType.STRING)
  @Nullable Lateness lateness;

  @Column(name = "backfill_id")
  @Nullable UUID backfill;
}
