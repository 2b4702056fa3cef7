// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.pipeline.schedule;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of {@code pipeline_schedule}. */
@Entity
@Table(name = "pipeline_schedule")
@IdClass(ScheduleEntity.Key.class)
@SuppressWarnings("NullAway.Init") // Hibernate fills the fields.
class ScheduleEntity {
  /** Its primary key. */
  record Key(String namespace, String pipeline, String name) implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  @Id String namespace;
  @Id String pipeline;
  @Id String name;
  String[] quartz;

  @Column(name = "time_zone")
  String timeZone;

  boolean paused;

  @Column(name = "considered_to")
  Instant consideredTo;

  @Column(name = "next_time")
  @Nullable Instant nextTime;

  @Column(name = "due_at")
  @Nullable Instant dueAt;

  long missed;

  @Column(name = "missed_at")
  @Nullable Instant missedAt;

  @Column(name = "missed_reason")
  String missedReason;

  @Column(name = "saved_by")
  String savedBy;

  @Column(name = "saved_role")
  String savedRole;

  @Column(name = "saved_groups")
  String[] savedGroups;
}
