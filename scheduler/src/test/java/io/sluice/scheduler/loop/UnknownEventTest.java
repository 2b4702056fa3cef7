// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A journal in which a newer leader has recorded an event that this version does not know. */
class UnknownEventTest {
  private static final Duration LEASE = Duration.ofSeconds(5);

  private static void recordUnknownEvent(TestDatabase test) throws SQLException {
    try (Connection connection = test.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          WITH newer AS (
            INSERT INTO batch (shard, sequence, epoch, decided_at, engine_version)
            SELECT 0, max(sequence) + 1, max(epoch), now(), '99' FROM batch
            RETURNING sequence)
          INSERT INTO event (shard, sequence, position, kind, body)
          SELECT 0, sequence, 0, 'JobTeleported', '{}' FROM newer
          """);
    }
  }

  @Test
  void aFollowerGoesOnFromWhatTheEventLedTo() throws Exception {
    try (TestDatabase test = TestDatabase.migrated()) {
      try (Node first = new Node(test, "first", LEASE);
          Node second = new Node(test, "second", LEASE)) {
        Node.await("the first leads", first::leads);
        Node.cancelUnknownJob(test);
        Node.await("the first decides", () -> first.view.sequence() > 0);
        Node.await("the second follows", () -> second.view.sequence() == first.view.sequence());
        long unknown = first.view.sequence() + 1;
        recordUnknownEvent(test);
        Node.await("the second is beyond the event", () -> second.view.sequence() >= unknown);
        Node.cancelUnknownJob(test);
        Node.await("the first goes on", () -> first.view.sequence() > unknown);
        Node.await("the second goes on", () -> second.view.sequence() == first.view.sequence());
        assertThat(second.failed.get()).isEmpty();
        assertThat(first.failed.get()).isEmpty();
      }
    }
  }
}
