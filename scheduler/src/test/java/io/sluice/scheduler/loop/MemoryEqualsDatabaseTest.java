// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admission.policy.AdmissionFairSharing;
import io.sluice.admission.policy.EnginePolicy;
import io.sluice.admission.state.AdmissionState;
import io.sluice.admission.state.StateSnapshot;
import io.sluice.admission.state.record.DecayedUsage;
import io.sluice.admission.state.record.JobRecord;
import io.sluice.admission.topology.SliceStanding;
import io.sluice.queuemodel.event.PlannedStart;
import io.sluice.queuemodel.quantity.ResourceName;
import io.sluice.scheduler.postgres.TestDatabase;
import io.sluice.scheduler.store.journal.JournalReader;
import io.sluice.scheduler.store.journal.StateLoad;
import io.sluice.scheduler.store.leadership.Candidate;
import io.sluice.scheduler.store.leadership.Leadership;
import io.sluice.testing.Seeds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * {@code load(commit(decisions)) == state.apply(decisions)}, on a real PostgreSQL; and the same of
 * the copy that reads the journal back.
 */
class MemoryEqualsDatabaseTest {
  private static final int SEEDS = 3;
  private static final int ROUNDS = 30;

  @Test
  void memoryRebuiltFromTheDatabaseAndMemoryThatFollowedEqualMemoryThatLivedThroughTheEvents() {
    Set<String> seen = new TreeSet<>();
    Seeds.check(SEEDS, random -> live(random, EnginePolicy.DEFAULT, false, seen));
    assertThat(seen)
        .as("what the worlds had to remember")
        .contains("WAITING", "PAUSED", "CLOSED", "ABSENT", "READY", "LEAVING", "kept", "on a rung");
  }

  @Test
  void whatLocalQueuesHaveUsedIsRemembered() {
    AdmissionFairSharing rules =
        new AdmissionFairSharing(Duration.ofSeconds(15), Duration.ofSeconds(2), new TreeMap<>());
    Set<String> seen = new TreeSet<>();
    Seeds.check(
        SEEDS,
        random -> live(random, EnginePolicy.DEFAULT.withAdmissionFairSharing(rules), false, seen));
    assertThat(seen).contains("usage of chips", "usage of cores");
  }

  @Test
  void plannedStartsAreRemembered() {
    Set<String> seen = new TreeSet<>();
    Seeds.check(SEEDS, random -> live(random, EnginePolicy.DEFAULT, true, seen));
    assertThat(seen).contains("planned for a time", "planned without a time");
  }

  /** Which of the things that make a ladder were there to be compared. */
  private static void note(StateSnapshot snapshot, Set<String> seen) {
    snapshot
        .jobs()
        .forEach(job -> job.ladder().values().forEach(rung -> seen.add(rung.standing().name())));
    for (JobRecord job : snapshot.jobs()) {
      PlannedStart planned = job.planned();
      if (planned != null) {
        seen.add(planned.at() == null ? "planned without a time" : "planned for a time");
      }
    }
    for (DecayedUsage used : snapshot.localQueueUsage()) {
      used.amounts()
          .keySet()
          .forEach(
              resource ->
                  seen.add("usage of " + (resource.equals(ResourceName.CPU) ? "cores" : "chips")));
    }
    for (SliceStanding slice : snapshot.slices()) {
      seen.add(slice.condition().name());
      if (slice.keptFor() != null) {
        seen.add("kept");
      }
    }
    if (snapshot.attempts().stream().anyMatch(attempt -> attempt.assignment().rung() != null)) {
      seen.add("on a rung");
    }
  }

  private static void live(
      SplittableRandom random, EnginePolicy policy, boolean planned, Set<String> seen) {
    try (TestDatabase test = TestDatabase.migrated()) {
      DataSource database = test.dataSource();
      CommittedView view = new CommittedView(policy);
      CommittedView follower = new CommittedView(policy);
      try (JournalReader journal = new JournalReader(database);
          Leadership lead = Objects.requireNonNull(Leadership.take(database, candidate()));
          RandomLife life =
              new RandomLife(
                  database,
                  random,
                  AdmissionState.restore(StateSnapshot.empty(), policy),
                  0,
                  new PostgresJournal(database, lead, view::apply, () -> {}))) {
        if (planned) {
          life.withPlannedQueues();
        }
        life.setUp();
        for (int round = 0; round < ROUNDS; round++) {
          life.next();
          StateSnapshot lived = life.state().snapshot();
          note(lived, seen);
          compare(load(database), lived);
          compare(view.ask(AdmissionState::snapshot).value(), lived);
          follow(journal, follower);
          compare(follower.ask(AdmissionState::snapshot).value(), lived);
        }
      }
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** As a follower does, but never by loading. */
  private static void follow(JournalReader journal, CommittedView follower) {
    for (JournalReader.StoredBatch batch : journal.read(follower.sequence(), 1_000)) {
      follower.apply(batch.sequence(), batch.now(), batch.events());
    }
  }

  private static Candidate candidate() {
    return new Candidate("test", "http://127.0.0.1:1", Duration.ofHours(1));
  }

  /** Part by part, so that a failure can be read. */
  private static void compare(StateSnapshot found, StateSnapshot lived) {
    assertThat(found.lastRoundAt()).isEqualTo(lived.lastRoundAt());
    assertThat(found.objects()).containsExactlyElementsOf(lived.objects());
    assertThat(found.fleet()).isEqualTo(lived.fleet());
    assertThat(found.jobs()).containsExactlyElementsOf(lived.jobs());
    assertThat(found.attempts()).containsExactlyElementsOf(lived.attempts());
    assertThat(found.claims()).containsExactlyElementsOf(lived.claims());
    assertThat(found.slices()).containsExactlyElementsOf(lived.slices());
    assertThat(found.localQueueUsage()).containsExactlyElementsOf(lived.localQueueUsage());
    assertThat(found).isEqualTo(lived);
  }

  private static StateSnapshot load(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return StateLoad.read(connection).snapshot();
    }
  }
}
