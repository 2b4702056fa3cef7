// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row of {@code backfill}. */
@Entity
@Table(name = "backfill")
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields.
class BackfillEntity {
  @Id UUID id;
  String namespace;
  String pipeline;
  String schedule;

  @Column(name = "from_time")
  Instant fromTime;

  @Column(name = "to_time")
  Instant toTime;

  @Column(name = "max_parallel")
  int maxParallel;

  String cron;

  @Column(name = "time_zone")
  String timeZone;

  int times;
  int begun;

  @Column(name = "there_before")
  int thereBefore;

  @Column(name = "considered_to")
  Instant consideredTo;

  @Enumerated(EnumType.STRING)
  StoredBackfill.State state;

  String reason;

  @Column(name = "created_by")
  String createdBy;

  @Column(name = "created_role")
  String createdRole;

  @Column(name = "created_groups")
  String[] createdGroups;

  /** The database sets it. */
  @Column(name = "created_at", insertable = false, updatable = false)
  Instant createdAt;

  @Column(name = "ended_at")
  @Nullable Instant endedAt;
}
