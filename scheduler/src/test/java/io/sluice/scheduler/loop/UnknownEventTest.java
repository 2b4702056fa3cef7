// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.migrations.SchemaMigration;
import io.sluice.queuemodel.job.Input;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.store.InputWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** A journal in which a newer leader has recorded an event that this version does not know. */
class UnknownEventTest {
  private static final Duration LEASE = Duration.ofSeconds(5);

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    Instant deadline = Instant.now().plus(LiveServer.PATIENCE);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).as(what).isBefore(deadline);
      Thread.sleep(20);
    }
  }

  private static void write(TestDatabase test) {
    JobId unknown = JobId.parse("01a1fd32-2207-7081-8b8b-396e83942357");
    new InputWriter(test.dataSource()).append(List.of(new Input.CancelJob(unknown, "test")));
  }

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
    try (TestDatabase test = TestDatabase.create()) {
      SchemaMigration.apply(test.dataSource());
      try (Node first = new Node(test, "first", LEASE);
          Node second = new Node(test, "second", LEASE)) {
        await("the first leads", first::leads);
        write(test);
        await("the first decides", () -> first.view.sequence() > 0);
        await("the second follows", () -> second.view.sequence() == first.view.sequence());
        long unknown = first.view.sequence() + 1;
        recordUnknownEvent(test);
        await("the second is beyond the event", () -> second.view.sequence() >= unknown);
        write(test);
        await("the first goes on", () -> first.view.sequence() > unknown);
        await("the second goes on", () -> second.view.sequence() == first.view.sequence());
        assertThat(second.failed.get()).isEmpty();
        assertThat(first.failed.get()).isEmpty();
      }
    }
  }
}
