// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

/** The order of a list of jobs, by the time of creation and then the id. */
public enum JobOrder {
  NEWEST("DESC", "<"),
  OLDEST("ASC", ">");

  private final String direction;
  private final String after;

  JobOrder(String direction, String after) {
    this.direction = direction;
    this.after = after;
  }

  /** The clause that orders the rows of {@code job j}. */
  String clause() {
    return "ORDER BY j.created_at %1$s, j.id %1$s".formatted(direction);
  }

  /** The condition of the rows that come after a time and an id, its two parameters. */
  String after() {
    return "(j.created_at, j.id) " + after + " (?::timestamptz, ?::uuid)";
  }
}
