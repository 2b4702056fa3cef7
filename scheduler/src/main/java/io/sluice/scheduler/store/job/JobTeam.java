// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

/**
 * The team of a job in SQL: the team of its namespace; if that is in none, the label of the job's
 * LocalQueue; else the namespace. Counts and lists of the database share it.
 */
public final class JobTeam {
  private JobTeam() {}

  /**
   * The team, as an expression in a statement with {@link #joins}.
   *
   * @param rows alias of rows with the columns {@code namespace} and {@code local_queue}
   */
  public static String expression(String rows) {
    return "coalesce(job_team.team, job_queue.manifest #>> '{metadata,labels,sluice.io/team}', "
        + rows
        + ".namespace)";
  }

  /** Joins the team and the LocalQueue of rows, at most one of each. */
  public static String joins(String rows) {
    return """
        LEFT JOIN quota_object job_queue ON job_queue.kind = 'LocalQueue'
          AND job_queue.namespace = %1$s.namespace AND job_queue.name = %1$s.local_queue
        LEFT JOIN team_namespace job_team ON job_team.namespace = %1$s.namespace
        """
        .formatted(rows);
  }
}
