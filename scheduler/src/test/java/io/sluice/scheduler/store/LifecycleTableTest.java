// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.queuemodel.job.AttemptState;
import io.sluice.queuemodel.job.JobLifecycle;
import io.sluice.queuemodel.job.JobState;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The database permits exactly the transitions that {@link JobLifecycle} does. */
class LifecycleTableTest {
  private static StoredRows rows;

  @BeforeAll
  static void create() throws SQLException {
    rows = StoredRows.create();
  }

  @AfterAll
  static void drop() throws SQLException {
    rows.close();
  }

  @Test
  void theTableHasTheTransitionsOfTheModelAndNoOthers() throws SQLException {
    List<String> model = new ArrayList<>();
    for (JobState from : JobState.values()) {
      JobLifecycle.successors(from).forEach(to -> model.add("job " + from + " " + to));
    }
    for (AttemptState from : AttemptState.values()) {
      JobLifecycle.successors(from).forEach(to -> model.add("attempt " + from + " " + to));
    }
    assertThat(rows.ask("SELECT noun || ' ' || from_state || ' ' || to_state FROM lifecycle"))
        .containsExactlyInAnyOrderElementsOf(model);
  }

  @Test
  void aJobGoesWhereTheModelLetsItAndNowhereElse() throws SQLException {
    for (JobState from : JobState.values()) {
      for (JobState to : JobState.values()) {
        UUID job = rows.job(from.name());
        if (JobLifecycle.permits(from, to)) {
          moveJob(job, to);
          assertThat(rows.ask("SELECT state FROM job WHERE id = ?", job))
              .containsExactly(to.name());
        } else {
          assertThatThrownBy(() -> moveJob(job, to))
              .isInstanceOf(SQLException.class)
              .hasMessageContaining("job cannot go from %s to %s", from, to);
        }
      }
    }
  }

  private static void moveJob(UUID job, JobState to) throws SQLException {
    rows.execute(
        "UPDATE job SET state = ?, finished_at = CASE WHEN ? THEN now() END WHERE id = ?",
        to.name(),
        to.terminal(),
        job);
  }

  @Test
  void anAttemptGoesWhereTheModelLetsItAndNowhereElse() throws SQLException {
    for (AttemptState from : AttemptState.values()) {
      for (AttemptState to : AttemptState.values()) {
        UUID job = rows.job("RUNNING");
        rows.attempt(job, 1, from.name());
        if (JobLifecycle.permits(from, to)) {
          moveAttempt(job, to);
          assertThat(rows.ask("SELECT state FROM attempt WHERE job_id = ?", job))
              .containsExactly(to.name());
        } else {
          assertThatThrownBy(() -> moveAttempt(job, to))
              .isInstanceOf(SQLException.class)
              .hasMessageContaining("attempt cannot go from %s to %s", from, to);
        }
      }
    }
  }

  private static void moveAttempt(UUID job, AttemptState to) throws SQLException {
    rows.execute(
        "UPDATE attempt SET state = ?, ended_at = CASE WHEN ? THEN now() END,"
            + " outcome = CASE WHEN ? THEN 'SUCCEEDED' END WHERE job_id = ?",
        to.name(),
        to == AttemptState.ENDED,
        to == AttemptState.ENDED,
        job);
  }
}
