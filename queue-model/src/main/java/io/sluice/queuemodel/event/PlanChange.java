// SPDX-License-Identifier: Apache-2.0
package io.sluice.queuemodel.event;

/** Why a planned start was written, moved or withdrawn. */
public enum PlanChange {
  /** The job is blocked and among the first of its queue. */
  BLOCKED,
  /** Room became free earlier than planned. */
  EARLIER,
  /** A job that precedes it, or that uses its own nominal quota, took the room. */
  OUTRANKED,
  /** Quota, policies or settings changed. */
  QUOTA_CHANGED,
  /** Hosts or slices came or went. */
  FLEET_CHANGED,
  /** An attempt in the way started later than it should have, or drains longer than it may. */
  ATTEMPT_OVERDUE,
  /** The limits of an attempt in the way changed. */
  LIMIT_CHANGED,
  /** Something other than quota and slices kept a job from its planned start. */
  HELD_UP,
  /** The job no longer waits for a start, or its queue is not planned any more. */
  NOT_BLOCKED
}
