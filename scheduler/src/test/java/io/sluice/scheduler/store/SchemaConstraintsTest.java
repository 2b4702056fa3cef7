// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the schema refuses whatever the application thinks. */
class SchemaConstraintsTest {
  private static StoredRows rows;

  @BeforeAll
  static void create() throws SQLException {
    rows = StoredRows.create();
  }

  @AfterAll
  static void drop() throws SQLException {
    rows.close();
  }

  private static void assertRefused(String constraint, ThrowingCallable write) {
    assertThatThrownBy(write).isInstanceOf(SQLException.class).hasMessageContaining(constraint);
  }

  @Test
  void aSliceServesOneAttemptUntilItIsGivenBack() throws SQLException {
    UUID one = rows.job("ADMITTED");
    UUID other = rows.job("ADMITTED");
    rows.attempt(one, 1, "ADMITTED");
    rows.attempt(other, 1, "ADMITTED");
    rows.hold(0, "s1", 1, one, 1);

    assertRefused("slice_allocation_live", () -> rows.hold(0, "s1", 2, other, 1));
    assertRefused("slice_allocation_live", () -> rows.hold(0, "s1", 2, one, 1));
    rows.hold(0, "s2", 2, other, 1);

    rows.execute("UPDATE slice_allocation SET to_sequence = 3, to_at = now() WHERE slice = 's1'");
    rows.hold(0, "s1", 3, other, 1);
    assertThat(rows.ask("SELECT job_id FROM slice_allocation WHERE slice = 's1' ORDER BY 1"))
        .containsExactlyInAnyOrder(one.toString(), other.toString());
  }

  @Test
  void aSliceIsHeldByAnAttemptThatExistsAndForSomeTime() throws SQLException {
    UUID job = rows.job("ADMITTED");
    assertRefused("slice_allocation", () -> rows.hold(0, "s3", 1, job, 1));
    rows.attempt(job, 1, "ADMITTED");
    rows.hold(0, "s3", 5, job, 1);
    assertRefused(
        "slice_allocation_check",
        () -> rows.execute("UPDATE slice_allocation SET to_sequence = 5 WHERE slice = 's3'"));
    assertRefused(
        "slice_allocation_check",
        () -> rows.execute("UPDATE slice_allocation SET to_sequence = 6 WHERE slice = 's3'"));
  }

  @Test
  void aSliceIsClaimedForOneIndex() throws SQLException {
    UUID one = rows.job("PENDING");
    UUID other = rows.job("PENDING");
    String claim = "INSERT INTO claim (job_id, index, body) VALUES (?, 0, '{}')";
    String slice = "INSERT INTO claimed_slice (slice, job_id, index) VALUES ('c1', ?, 0)";
    assertRefused("claimed_slice", () -> rows.execute(slice, one));
    rows.execute(claim, one);
    rows.execute(claim, other);
    rows.execute(slice, one);
    assertRefused("claimed_slice_pkey", () -> rows.execute(slice, other));
    assertRefused("claim_pkey", () -> rows.execute(claim, one));

    rows.execute("DELETE FROM claim WHERE job_id = ?", one);
    rows.execute(slice, other);
  }

  @Test
  void anIdempotencyKeyIsOneJobOfItsNamespace() throws SQLException {
    rows.submitted("key");
    assertRefused("job_idempotency", () -> rows.submitted("key"));
    rows.submitted("another key");
    rows.job("SUBMITTED");
    rows.job("SUBMITTED");

    UUID elsewhere = rows.submitted("third key");
    rows.execute("UPDATE job SET namespace = 'other' WHERE id = ?", elsewhere);
    rows.submitted("third key");
  }

  @Test
  void anIndexHasOneAttemptThatHasNotEnded() throws SQLException {
    UUID job = rows.job("RUNNING");
    rows.attempt(job, 1, "ENDED");
    rows.attempt(job, 2, "RUNNING");
    assertRefused("attempt_current", () -> rows.attempt(job, 3, "ADMITTED"));
    assertRefused("attempt_pkey", () -> rows.attempt(job, 1, "ENDED"));
    rows.execute(
        "UPDATE attempt SET state = 'ENDED', ended_at = now(), outcome = 'FAILED'"
            + " WHERE job_id = ? AND number = 2",
        job);
    rows.attempt(job, 3, "ADMITTED");
  }

  @Test
  void anEndHasItsTimeAndItsOutcome() throws SQLException {
    UUID job = rows.job("RUNNING");
    assertRefused(
        "job_check", () -> rows.execute("UPDATE job SET state = 'SUCCEEDED' WHERE id = ?", job));
    assertRefused(
        "job_check", () -> rows.execute("UPDATE job SET finished_at = now() WHERE id = ?", job));
    rows.attempt(job, 1, "RUNNING");
    assertRefused(
        "attempt_check",
        () ->
            rows.execute(
                "UPDATE attempt SET state = 'ENDED', ended_at = now() WHERE job_id = ?", job));
  }

  @Test
  void anIndexDoesNotSucceedAndFailAndIsOneOfTheJobs() throws SQLException {
    UUID job = rows.job("RUNNING");
    assertRefused(
        "job_check",
        () ->
            rows.execute(
                "UPDATE job SET succeeded = '{[0,1)}', failed = '{[0,1)}' WHERE id = ?", job));
    assertRefused(
        "job_check", () -> rows.execute("UPDATE job SET succeeded = '{[1,2)}' WHERE id = ?", job));
    rows.execute("UPDATE job SET succeeded = '{[0,1)}' WHERE id = ?", job);
  }

  @Test
  void whatIsReferredToIsNotDeletedBeforeTheTransactionEnds() throws SQLException {
    String object =
        "INSERT INTO quota_object (kind, namespace, name, generation, manifest, created_at,"
            + " changed_at) VALUES (?, '', ?, 1, '{}', now(), now())";
    rows.execute(object, "ResourceFlavor", "v6e");
    rows.execute(object, "ClusterQueue", "research");
    rows.execute(
        "INSERT INTO quota_reference VALUES"
            + " ('ClusterQueue', '', 'research', 'ResourceFlavor', '', 'v6e')");
    assertRefused(
        "quota_reference",
        () -> rows.execute("DELETE FROM quota_object WHERE kind = 'ResourceFlavor'"));
    rows.execute("DELETE FROM quota_object WHERE kind = 'ClusterQueue'");
    rows.execute("DELETE FROM quota_object WHERE kind = 'ResourceFlavor'");
    assertThat(rows.count("quota_reference")).isZero();
  }

  @Test
  void whatTheEngineRemembersHasAShard() throws SQLException {
    assertThat(
            rows.ask(
                """
                SELECT table_name FROM information_schema.tables t
                WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND NOT starts_with(table_name, 'qrtz_')
                  AND NOT EXISTS (
                  SELECT 1 FROM information_schema.columns c
                  WHERE c.table_schema = 'public' AND c.table_name = t.table_name
                    AND column_name = 'shard' AND data_type = 'smallint' AND is_nullable = 'NO')
                """))
        .containsExactlyInAnyOrder(
            "archived_audit",
            "attempt_dispatch",
            "audit",
            "backfill",
            "caller_session",
            "caller_session_edit",
            "caller_token",
            "caller_token_edit",
            "flyway_schema_history",
            "installation_setting",
            "lifecycle",
            "pipeline",
            "pipeline_run",
            "pipeline_schedule",
            "pipeline_version",
            "quota_object",
            "quota_reference",
            "quota_version",
            "run_event",
            "run_part",
            "run_step",
            "sign_in_code",
            "start_estimate",
            "team_entitlement",
            "team_namespace",
            "workload_shape");
  }

  @Test
  void oneShardKnowsNothingOfAnother() throws SQLException {
    UUID one = rows.job("ADMITTED");
    UUID other = rows.job("ADMITTED");
    rows.attempt(one, 1, "ADMITTED");
    rows.attempt(other, 1, "ADMITTED");
    rows.hold(0, "s4", 1, one, 1);
    rows.hold(1, "s4", 1, other, 1);
    rows.batch(7, 1);
    rows.batch(8, 1);
    rows.batch(7, 2);
    assertRefused("batch", () -> rows.batch(8, 3));
  }
}
