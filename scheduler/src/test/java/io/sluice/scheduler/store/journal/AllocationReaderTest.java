// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.job.AttemptKey;
import io.sluice.queuemodel.job.JobId;
import io.sluice.scheduler.store.TimeRange;
import io.sluice.scheduler.store.journal.AllocationReader.Allocation;
import io.sluice.scheduler.store.journal.AllocationReader.Place;
import io.sluice.scheduler.submission.Submitters;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists of allocations by period, with the jobs that they belong to. */
class AllocationReaderTest {
  private static final Instant START = Instant.parse("2026-11-01T00:00:00Z");
  private static final int SLICES = 5;
  private static final int MINUTES = 300;
  private static final long SEED = 20261127;

  /** An allocation as it was stored, in minutes from the start; to is -1 while it lasts. */
  private record Stored(String slice, int from, int to) {}

  private final List<Stored> stored = new ArrayList<>();
  private Submitters database;
  private AllocationReader reader;
  private UUID job;

  @BeforeEach
  void start() throws SQLException {
    database = Submitters.create();
    reader = new AllocationReader(database.database());
    database.execute("INSERT INTO workload_shape (digest, body) VALUES ('digest', '{}')");
    job = job("team", "main");
  }

  @AfterEach
  void end() throws SQLException {
    database.close();
  }

  private UUID job(String namespace, String queue) throws SQLException {
    UUID id = UUID.randomUUID();
    database.execute(
        """
        INSERT INTO job (id, namespace, name, local_queue, cluster_queue, priority, preemptible,
          shape_id, grace_period_ms, max_failures, index_count, max_parallel, labels, manifest,
          state, finished_at, submitted_by, priority_class)
        VALUES (?, ?, 'train', ?, 'cpus', 0, false, (SELECT id FROM workload_shape), 0, 0, 1, 1,
          '{}', '{}', 'SUCCEEDED', now(), 'ann', 'low')
        """,
        id,
        namespace,
        queue);
    database.execute(
        """
        INSERT INTO attempt (job_id, index, number, generation, state, cluster_queue, assignment,
          displaced, admitted_at, ended_at, outcome)
        VALUES (?, 0, 1, 1, 'ENDED', 'chips',
          '{"slices": ["a", "b"], "podSets": [{"usage": {"google.com/tpu": 32}},
            {"usage": {"cpu": 4}}]}', '{}', now(), now(), 'EVICTED')
        """,
        id);
    return id;
  }

  /** Stores an allocation, from the batch whose sequence is the minute. */
  private void hold(UUID holder, Stored one) throws SQLException {
    database.execute(
        """
        INSERT INTO slice_allocation (slice, from_sequence, to_sequence, job_id, index, attempt,
          from_generation, from_at, to_at)
        VALUES (?, ?, nullif(?, -1), ?, 0, 1, 1, ?::timestamptz,
          nullif(?, '')::timestamptz)
        """,
        one.slice(),
        one.from(),
        one.to(),
        holder,
        at(one.from()).toString(),
        one.to() < 0 ? "" : at(one.to()).toString());
    stored.add(one);
  }

  private static Instant at(int minute) {
    return START.plusSeconds(60L * minute);
  }

  /** Fills each slice with allocations and gaps; the last allocation may last. */
  private void fill(Random random) throws SQLException {
    for (int slice = 0; slice < SLICES; slice++) {
      int from = 1 + random.nextInt(5);
      while (from < MINUTES) {
        int to = from + 1 + random.nextInt(random.nextInt(4) == 0 ? MINUTES : 20);
        hold(job, new Stored("s" + slice, from, to < MINUTES ? to : -1));
        from = to + random.nextInt(3);
      }
    }
  }

  private List<Stored> expected(int since, int until, boolean overlapping) {
    return stored.stream()
        .filter(one -> one.from() < until)
        .filter(one -> one.from() >= since || (overlapping && (one.to() < 0 || one.to() > since)))
        .sorted(Comparator.comparing((Stored one) -> -one.from()).thenComparing(Stored::slice))
        .toList();
  }

  private List<Stored> pages(TimeRange period, boolean overlapping, int limit) {
    List<Stored> all = new ArrayList<>();
    Place after = null;
    List<Allocation> page;
    do {
      page = reader.read(period, overlapping, after, limit);
      for (Allocation one : page) {
        all.add(new Stored(one.slice(), minute(one.from()), minute(one.to())));
        after = new Place(one.sequence(), one.slice());
      }
    } while (page.size() == limit);
    return all;
  }

  private static int minute(@Nullable Instant time) {
    return time == null ? -1 : (int) ((time.getEpochSecond() - START.getEpochSecond()) / 60);
  }

  @Test
  void pagesOfAPeriodAreWhatOverlapsIt() throws SQLException {
    Random random = new Random(SEED);
    fill(random);
    for (int round = 0; round < 16; round++) {
      int since = random.nextInt(MINUTES + 20);
      int until = since + random.nextInt(80);
      boolean overlapping = round % 2 == 0;
      TimeRange period = new TimeRange(at(since), at(until));
      List<Stored> wanted = since == until ? List.of() : expected(since, until, overlapping);
      for (int limit : List.of(4, 500)) {
        assertThat(pages(period, overlapping, limit))
            .as("seed %d, from %d to %d, overlapping %s", SEED, since, until, overlapping)
            .isEqualTo(wanted);
      }
    }
    assertThat(pages(TimeRange.ALL, true, 40)).isEqualTo(expected(0, MINUTES, false));
  }

  @Test
  void thePeriodIncludesItsStartButNotItsEnd() throws SQLException {
    hold(job, new Stored("a", 1, 10));
    hold(job, new Stored("a", 10, 20));
    hold(job, new Stored("b", 2, -1));
    assertThat(pages(new TimeRange(at(10), at(20)), true, 9))
        .containsExactly(new Stored("a", 10, 20), new Stored("b", 2, -1));
    assertThat(pages(new TimeRange(at(9), at(10)), true, 9))
        .containsExactly(new Stored("b", 2, -1), new Stored("a", 1, 10));
    assertThat(pages(new TimeRange(at(10), at(10)), true, 9)).isEmpty();
    assertThat(pages(new TimeRange(at(15), at(12)), true, 9)).isEmpty();
  }

  @Test
  void anAllocationTellsWhoseItIsAndHowItEnded() throws SQLException {
    hold(job, new Stored("a", 1, 10));
    hold(job("other", "gone"), new Stored("b", 1, 10));
    database.execute(
        "UPDATE job SET changed_priority_class = 'high', changed_priority = 9,"
            + " changed_preemptible = false, priority_changed_at = now() WHERE namespace = 'other'");
    assertThat(reader.read(TimeRange.ALL, false, null, 9))
        .extracting(Allocation::owner)
        .containsExactly(
            new AllocationReader.Owner("team", "train", "main", "ann", "team", "low"),
            new AllocationReader.Owner("other", "train", "gone", "ann", "other", "high"));
    database.execute(
        "UPDATE quota_object SET manifest ="
            + " jsonb_set(manifest, '{metadata,labels}', '{\"sluice.io/team\": \"vision\"}')"
            + " WHERE kind = 'LocalQueue'");
    database.execute("INSERT INTO team_namespace VALUES ('other', 'speech')");
    List<Allocation> found = reader.read(TimeRange.ALL, false, null, 9);
    assertThat(found).extracting(one -> one.owner().team()).containsExactly("vision", "speech");
    assertThat(found).extracting(Allocation::clusterQueue).containsOnly("chips");
    assertThat(found).extracting(Allocation::outcome).containsOnly("EVICTED");
  }

  @Test
  void theChipsOfASliceAreThoseOfItsAttemptDividedByItsSlices() throws SQLException {
    AttemptKey whole = new AttemptKey(new JobId(job), 0, 1);
    AttemptKey odd = new AttemptKey(new JobId(job("team", "main")), 0, 1);
    AttemptKey none = new AttemptKey(new JobId(job("team", "main")), 0, 1);
    database.execute(
        "UPDATE attempt SET assignment = jsonb_set(assignment, '{slices}', '[\"a\", \"b\", \"c\"]')"
            + " WHERE job_id = ?",
        odd.job().value());
    database.execute(
        "UPDATE attempt SET assignment = '{\"slices\": [], \"podSets\": []}' WHERE job_id = ?",
        none.job().value());
    assertThat(reader.chipsPerSlice(List.of(whole, odd, none)))
        .containsExactlyEntriesOf(Map.of(whole, 16L));
    assertThat(reader.chipsPerSlice(List.of())).isEmpty();
  }
}
