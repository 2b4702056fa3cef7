// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.Journal;
import io.sluice.admission.state.record.Changes;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.store.journal.BatchCommit;
import io.sluice.scheduler.store.leadership.Candidate;
import io.sluice.scheduler.store.leadership.Leadership;
import io.sluice.scheduler.store.leadership.LostEpochException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * Leaders that oversleep their leases on purpose and go on committing as if nothing had happened.
 */
class TwoLeadersTest {
  private static final Duration LEASE = Duration.ofMillis(60);
  private static final int SERVERS = 3;
  private static final int LEADS_EACH = 25;

  private final ConcurrentSkipListMap<Long, Long> acknowledged = new ConcurrentSkipListMap<>();
  private final AtomicInteger refused = new AtomicInteger();

  @Test
  void ofTwoThatBelieveToLeadOnlyTheLaterCommits() throws Exception {
    try (TestDatabase test = TestDatabase.migrated()) {
      DataSource database = test.dataSource();
      ExecutorService servers = Executors.newFixedThreadPool(SERVERS);
      List<Future<?>> all = new ArrayList<>();
      for (int server = 0; server < SERVERS; server++) {
        int number = server;
        all.add(servers.submit(() -> serve(database, number)));
      }
      for (Future<?> one : all) {
        one.get();
      }
      servers.shutdown();
      assertThat(refused).as("commits of leaders that were none any more").hasPositiveValue();
      checkJournal(database);
    }
  }

  private Void serve(DataSource database, int number) throws Exception {
    SplittableRandom random = new SplittableRandom(number);
    Candidate self = new Candidate("server " + number, "http://127.0.0.1:" + number, LEASE);
    for (int leads = 0; leads < LEADS_EACH; ) {
      Leadership lead = Leadership.take(database, self);
      if (lead == null) {
        Thread.sleep(random.nextInt(10));
      } else {
        leads++;
        lead(database, lead, random);
      }
    }
    return null;
  }

  /** Commits without a look at the lease until it is refused, with pauses longer than the lease. */
  private void lead(DataSource database, Leadership lead, SplittableRandom random)
      throws Exception {
    for (int batch = 0; batch < 20; batch++) {
      try (Connection connection = database.getConnection()) {
        long sequence = BatchCommit.lastSequence(connection) + 1;
        if (random.nextInt(8) == 0) {
          Thread.sleep(LEASE.toMillis() * 2);
        }
        BatchCommit.write(connection, lead.epoch(), empty(sequence));
        acknowledged.put(sequence, lead.epoch());
      } catch (LostEpochException lost) {
        refused.incrementAndGet();
        return;
      } catch (SQLException taken) {
        // Another leader's batch has the place; it must be a later epoch's, which comes out next.
        assertThat(taken.getSQLState()).startsWith("23");
      } catch (StoreException unexpected) {
        throw new AssertionError(unexpected);
      }
    }
  }

  private static Journal.Batch empty(long sequence) {
    return new Journal.Batch(
        sequence,
        Instant.now(),
        List.of(),
        List.of(),
        new Changes(List.of(), List.of(), List.of(), List.of(), null));
  }

  private void checkJournal(DataSource database) throws SQLException {
    ConcurrentSkipListMap<Long, Long> stored = new ConcurrentSkipListMap<>();
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT sequence, epoch FROM batch")) {
      while (rows.next()) {
        stored.put(rows.getLong(1), rows.getLong(2));
      }
    }
    assertThat(stored).isEqualTo(acknowledged);
    assertThat(List.copyOf(stored.values())).isSorted();
    assertThat(stored.lastKey()).isEqualTo(stored.size());
  }
}
