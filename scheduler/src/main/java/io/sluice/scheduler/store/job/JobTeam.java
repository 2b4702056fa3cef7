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

  /**
   * The condition that rows are of a team, with its name as each of three parameters. It asks which
   * namespaces and LocalQueues are the team's, once for all rows.
   *
   * @param rows as of {@link #expression}
   */
  static String condition(String rows) {
    return """
        (%1$s.namespace IN (SELECT n.namespace FROM team_namespace n WHERE n.team = ?)
          OR %1$s.namespace NOT IN (SELECT n.namespace FROM team_namespace n)
          AND ((%1$s.namespace, %1$s.local_queue) IN (
              SELECT q.namespace, q.name FROM quota_object q WHERE q.kind = 'LocalQueue'
                AND q.manifest #>> '{metadata,labels,sluice.io/team}' = ?)
            OR %1$s.namespace = ? AND (%1$s.namespace, %1$s.local_queue) NOT IN (
              SELECT q.namespace, q.name FROM quota_object q WHERE q.kind = 'LocalQueue'
                AND q.manifest #>> '{metadata,labels,sluice.io/team}' IS NOT NULL)))
        """
        .formatted(rows);
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
