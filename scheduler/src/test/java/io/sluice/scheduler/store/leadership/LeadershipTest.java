// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.leadership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.scheduler.postgres.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeadershipTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private TestDatabase test;
  private DataSource database;

  @BeforeEach
  void migrate() throws SQLException {
    test = TestDatabase.migrated();
    database = test.dataSource();
  }

  @AfterEach
  void drop() throws SQLException {
    test.close();
  }

  private static Candidate candidate(String holder, Duration lease) {
    return new Candidate(holder, "http://" + holder, lease);
  }

  private @Nullable Leadership take(String holder, Duration lease) {
    return Leadership.take(database, candidate(holder, lease));
  }

  private Leadership taken(String holder, Duration lease) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    Leadership lead = take(holder, lease);
    while (lead == null && System.nanoTime() < deadline) {
      Thread.sleep(10);
      lead = take(holder, lease);
    }
    return Objects.requireNonNull(lead, "the lead cannot be taken");
  }

  @Test
  void whileALeaseRunsNobodyElseLeads() {
    assertThat(Objects.requireNonNull(take("a", LONG)).epoch()).isEqualTo(1);
    assertThat(take("b", LONG)).isNull();
  }

  @Test
  void aLeaseThatIsOverIsTakenWithTheNextEpochAndTheFormerLeaderLearnsOfIt() throws Exception {
    Leadership former = taken("a", SHORT);
    Leadership successor = taken("b", LONG);
    assertThat(successor.epoch()).isEqualTo(former.epoch() + 1);
    assertThat(successor.holds()).isTrue();
    assertThatThrownBy(former::check).isInstanceOf(LostEpochException.class);
    try (Connection connection = database.getConnection()) {
      assertThatThrownBy(() -> former.renew(connection)).isInstanceOf(LostEpochException.class);
      assertThat(Objects.requireNonNull(LeaderRow.read(connection)).url()).isEqualTo("http://b");
    }
    assertThat(former.lost()).isNotNull();
    assertThat(former.holds()).isFalse();
  }

  @Test
  void aLeaderTrustsItsLeaseForTwoThirdsOfItFromWhenTheRenewalWasSent() throws Exception {
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    Duration lease = Duration.ofSeconds(6);
    Leadership lead =
        Objects.requireNonNull(Leadership.take(database, candidate("a", lease), nanos::get));
    nanos.addAndGet(Duration.ofSeconds(4).toNanos() - 1);
    assertThat(lead.holds()).isTrue();
    nanos.addAndGet(1);
    assertThat(lead.holds()).isFalse();

    try (Connection renewing = database.getConnection();
        Connection other = database.getConnection();
        Statement lock = other.createStatement()) {
      other.setAutoCommit(false);
      lock.execute("SELECT 1 FROM leader FOR UPDATE");
      CompletableFuture<Void> answer = CompletableFuture.runAsync(() -> renew(lead, renewing));
      awaitWaitingForALock();
      nanos.addAndGet(Duration.ofSeconds(1).toNanos());
      other.commit();
      answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    nanos.addAndGet(Duration.ofSeconds(3).toNanos() - 1);
    assertThat(lead.holds()).isTrue();
    nanos.addAndGet(1);
    assertThat(lead.holds()).isFalse();
    assertThat(lead.lost()).isNull();
  }

  private static void renew(Leadership lead, Connection connection) {
    try {
      lead.renew(connection);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Test
  void aLeadThatIsGivenUpIsFreeAtOnceAndItsFormerLeaderDoesNotHold() {
    Leadership former = Objects.requireNonNull(take("a", LONG));
    former.close();
    assertThat(former.holds()).isFalse();
    assertThat(Objects.requireNonNull(take("b", LONG)).epoch()).isEqualTo(2);
  }

  @Test
  void whoTakesTheLeadAfterItWasLostIsNotDisturbedByItsFormerLeadersEnd() throws Exception {
    Leadership former = taken("a", SHORT);
    taken("b", LONG);
    former.close();
    assertThat(take("c", LONG)).isNull();
  }

  @Test
  void aServerThatComesBackTakesItsOwnLeaseAtOnce() {
    take("a", LONG);
    assertThat(Objects.requireNonNull(take("a", LONG)).epoch()).isEqualTo(2);
  }

  @Test
  void aLeaderFromBeforeLeasesIsTakenOverFromAtOnce() throws SQLException {
    execute("INSERT INTO leader (shard, epoch, holder, since) VALUES (0, 7, 'pid 1', now())");
    assertThat(Objects.requireNonNull(take("a", LONG)).epoch()).isEqualTo(8);
  }

  @Test
  void aSuccessorWaitsForACommitOnItsWayAndARenewalDoesNot() throws Exception {
    Leadership lead = taken("a", SHORT);
    try (Connection committing = database.getConnection();
        Connection renewing = database.getConnection()) {
      committing.setAutoCommit(false);
      LeaderRow.holdEpoch(committing, lead.epoch());
      lead.renew(renewing);
      Thread.sleep(SHORT.toMillis());
      CompletableFuture<@Nullable Leadership> successor =
          CompletableFuture.supplyAsync(() -> take("b", LONG));
      awaitWaitingForALock();
      assertThat(successor).isNotDone();
      committing.commit();
      assertThat(successor.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isNotNull();
    }
  }

  @Test
  void aCommitWhoseServerFallsSilentIsEndedByTheDatabaseAndHoldsNobodyUp() throws Exception {
    Leadership lead = taken("a", SHORT);
    try (Connection silent = database.getConnection()) {
      silent.setAutoCommit(false);
      LeaderRow.holdEpoch(silent, lead.epoch());
      assertThat(taken("b", LONG).epoch()).isEqualTo(lead.epoch() + 1);
      assertThatThrownBy(silent::commit).isInstanceOf(SQLException.class);
    }
  }

  @Test
  void aCommitOfAnEpochThatIsOverIsRefused() throws Exception {
    Leadership former = taken("a", SHORT);
    taken("b", LONG);
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> LeaderRow.holdEpoch(connection, former.epoch()))
          .isInstanceOf(LostEpochException.class)
          .hasMessageContaining("epoch 2 leads");
    }
  }

  private void awaitWaitingForALock() throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    String waiting =
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
            + " AND wait_event_type = 'Lock'";
    while (System.nanoTime() < deadline) {
      try (Connection connection = database.getConnection();
          PreparedStatement select = connection.prepareStatement(waiting);
          ResultSet rows = select.executeQuery()) {
        if (rows.next()) {
          return;
        }
      }
      Thread.sleep(10);
    }
    throw new AssertionError("nobody waits for a lock");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
