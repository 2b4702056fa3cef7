// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.notification;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two servers of one database; the second counts how often it is woken. */
class WakeUpsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String CHANNEL = "some_change";
  private static final String PROBE = "probe";

  private final AtomicInteger wokenHere = new AtomicInteger();
  private final AtomicInteger wokenBySelf = new AtomicInteger();
  private final AtomicInteger wokenThere = new AtomicInteger();
  private final AtomicInteger probes = new AtomicInteger();

  private TestDatabase database;
  private WakeUps here;
  private WakeUps there;
  private NotificationListener listenerHere;
  private NotificationListener listenerThere;

  @BeforeEach
  void start() throws Exception {
    database = TestDatabase.create();
    here = new WakeUps(database.dataSource());
    there = new WakeUps(database.dataSource());
    here.wakeHere(Map.of(CHANNEL, wokenHere::incrementAndGet));
    listenerHere =
        new NotificationListener(
            database.dataSource(),
            here,
            Map.of(CHANNEL, wokenBySelf::incrementAndGet, PROBE, probes::incrementAndGet));
    listenerThere =
        new NotificationListener(
            database.dataSource(),
            there,
            Map.of(CHANNEL, wokenThere::incrementAndGet, PROBE, probes::incrementAndGet));
    here.start();
    there.start();
    listenerHere.start();
    listenerThere.start();
    awaitListeners();
  }

  @AfterEach
  void end() throws SQLException {
    listenerHere.close();
    listenerThere.close();
    here.close();
    there.close();
    database.close();
  }

  /** Both have answered a probe, and so listen to everything. */
  private void awaitListeners() throws Exception {
    Instant deadline = Instant.now().plus(PATIENCE);
    int before = 0;
    while (probes.get() < before + 2) {
      assertThat(Instant.now()).isBefore(deadline);
      before = probes.get();
      execute("NOTIFY " + PROBE);
      Thread.sleep(200);
    }
  }

  private void execute(String statement) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement prepared = connection.createStatement()) {
      prepared.execute(statement);
    }
  }

  private static void await(AtomicInteger counter, int least) throws InterruptedException {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (counter.get() < least) {
      assertThat(Instant.now()).isBefore(deadline);
      Thread.sleep(5);
    }
  }

  @Test
  void ownPartsAreWokenAtOnceAndOthersByANotification() throws Exception {
    here.announce(CHANNEL);
    assertThat(wokenHere).hasValue(1);
    await(wokenThere, 1);
  }

  @Test
  void manyAnnouncementsAreFewNotifications() throws Exception {
    long begun = System.nanoTime();
    for (int change = 0; change < 10_000; change++) {
      here.announce(CHANNEL);
    }
    here.close();
    long periods = (System.nanoTime() - begun) / WakeUps.PERIOD.toNanos();
    await(wokenThere, 1);
    listenerThere.close();
    assertThat(wokenHere).hasValue(10_000);
    // One at once, one a period, and one at the end.
    assertThat(wokenThere.get()).isLessThanOrEqualTo((int) periods + 2);
  }

  @Test
  void aServerIsNotWokenByItsOwnNotifications() throws Exception {
    here.announce(CHANNEL);
    await(wokenThere, 1);
    there.announce(CHANNEL);
    await(wokenBySelf, 1);
    assertThat(wokenBySelf).as("by that of the other server only").hasValue(1);
  }

  @Test
  void theLastAnnouncementIsSentWhenAServerEnds() throws Exception {
    here.announce(CHANNEL);
    here.announce(CHANNEL);
    here.close();
    await(wokenThere, 1);
  }

  @Test
  void aBrokenConnectionIsOpenedAgain() throws Exception {
    here.announce(CHANNEL);
    await(wokenThere, 1);
    execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_notify(ch%'"
            + " AND pid <> pg_backend_pid() AND datname = current_database()");
    Instant deadline = Instant.now().plus(PATIENCE);
    while (wokenThere.get() < 2) {
      assertThat(Instant.now()).isBefore(deadline);
      here.announce(CHANNEL);
      Thread.sleep(20);
    }
  }
}
