// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admission.Journal.Batch;
import io.sluice.admission.state.record.Changes;
import io.sluice.scheduler.store.journal.BatchCommit;
import io.sluice.scheduler.store.leadership.Candidate;
import io.sluice.scheduler.store.leadership.Leadership;
import io.sluice.scheduler.store.leadership.LostEpochException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches follow each other without gaps, and only those of the present epoch. */
class BatchChainTest {
  private StoredRows rows;

  @BeforeEach
  void create() throws SQLException {
    rows = StoredRows.create();
  }

  @AfterEach
  void drop() throws SQLException {
    rows.close();
  }

  private Leadership lead(String holder) throws SQLException {
    return Objects.requireNonNull(
        Leadership.take(
            rows.database(), new Candidate(holder, "http://" + holder, Duration.ofHours(1))));
  }

  private void commit(long epoch, long sequence, Long... inputs) throws SQLException {
    try (Connection connection = rows.database().getConnection()) {
      BatchCommit.write(
          connection,
          epoch,
          new Batch(
              sequence,
              Instant.now(),
              List.of(inputs),
              List.of(),
              new Changes(List.of(), List.of(), List.of(), List.of(), null)));
    }
  }

  @Test
  void aBatchFollowsTheOneBeforeIt() throws SQLException {
    try (Leadership lead = lead("one")) {
      assertThatThrownBy(() -> commit(lead.epoch(), 2)).isInstanceOf(SQLException.class);
      commit(lead.epoch(), 1);
      assertThatThrownBy(() -> commit(lead.epoch(), 3)).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> commit(lead.epoch(), 0)).isInstanceOf(SQLException.class);
      commit(lead.epoch(), 2);
      assertThatThrownBy(() -> commit(lead.epoch(), 2)).isInstanceOf(SQLException.class);
      assertThat(rows.ask("SELECT sequence FROM batch ORDER BY 1")).containsExactly("1", "2");
    }
  }

  @Test
  void whileOneServerLeadsNoOtherDoes() throws SQLException {
    try (Leadership lead = lead("one")) {
      assertThat(lead.epoch()).isEqualTo(1);
      assertThat(
              Leadership.take(
                  rows.database(), new Candidate("two", "http://two", Duration.ofHours(1))))
          .isNull();
      assertThat(rows.ask("SELECT epoch || ' ' || holder FROM leader")).containsExactly("1 one");
    }
    try (Leadership next = lead("two")) {
      assertThat(next.epoch()).isEqualTo(2);
    }
  }

  @Test
  void aLeaderThatLostItsPlaceWritesNothing() throws SQLException {
    long former;
    try (Leadership lead = lead("one")) {
      former = lead.epoch();
      commit(former, 1);
    }
    try (Leadership lead = lead("two")) {
      assertThatThrownBy(() -> commit(former, 2)).isInstanceOf(LostEpochException.class);
      assertThat(rows.count("batch")).isEqualTo(1);
      commit(lead.epoch(), 2);
      try (Connection connection = rows.database().getConnection()) {
        assertThat(BatchCommit.isWritten(connection, former, 1)).isTrue();
        assertThat(BatchCommit.isWritten(connection, lead.epoch(), 3)).isFalse();
        assertThatThrownBy(() -> BatchCommit.isWritten(connection, former, 2))
            .isInstanceOf(LostEpochException.class);
      }
    }
  }

  @Test
  void anInputIsConsumedByOneBatchAndABatchThatConsumesItAgainIsNotWritten() throws SQLException {
    long input =
        Long.parseLong(
            rows.ask("INSERT INTO input (kind, body) VALUES ('SetFleet', '{}') RETURNING id")
                .get(0));
    try (Leadership lead = lead("one")) {
      commit(lead.epoch(), 1, input);
      assertThatThrownBy(() -> commit(lead.epoch(), 2, input)).isInstanceOf(StoreException.class);
      assertThat(rows.ask("SELECT sequence FROM batch")).containsExactly("1");
      assertThat(rows.count("input")).isZero();
      assertThat(rows.ask("SELECT sequence FROM batch WHERE inputs IS NOT NULL"))
          .containsExactly("1");
    }
  }
}
