// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.TimeRange;
import io.sluice.scheduler.submission.Submitters;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lists of jobs in both orders, page by page. */
class JobReaderTest {
  private static final int JOBS = 60;

  private Submitters database;
  private JobReader reader;

  @BeforeEach
  void start() throws SQLException {
    database = Submitters.create();
    reader = new JobReader(database.database());
    database.execute("INSERT INTO workload_shape (digest, body) VALUES ('digest', '{}')");
    // Three jobs each are created at the same time, so that their ids order them.
    database.execute(
        """
        INSERT INTO job (id, namespace, name, local_queue, cluster_queue, priority, preemptible,
          shape_id, grace_period_ms, max_failures, index_count, max_parallel, labels, manifest,
          state, finished_at, created_at)
        SELECT gen_random_uuid(), (ARRAY['team', 'other', 'third'])[1 + mod(n * 7, 3)], 'job' || n,
          'main', 'cpus', 0, false, (SELECT id FROM workload_shape), 0, 0, 1, 1, '{}', '{}',
          CASE WHEN mod(n, 2) = 0 THEN 'PENDING' ELSE 'SUCCEEDED' END,
          CASE WHEN mod(n, 2) = 0 THEN NULL ELSE now() END,
          timestamptz '2026-11-21 00:00:00.123456Z' + (n / 3) * interval '1 second'
        FROM generate_series(1, %d) n
        """
            .formatted(JOBS));
  }

  @AfterEach
  void end() throws SQLException {
    database.close();
  }

  private static JobFilter filter(NamespaceScope namespaces, List<JobState> states) {
    return new JobFilter(
        namespaces,
        null,
        null,
        null,
        null,
        null,
        null,
        states,
        null,
        Labels.of(Map.of()),
        TimeRange.ALL);
  }

  /** The names of the jobs of all pages. */
  private List<String> pages(JobFilter filter, JobOrder order, int most) {
    List<String> names = new ArrayList<>();
    JobFilter.Cursor last = null;
    while (true) {
      List<StoredJob> page = reader.list(filter, order, last, most);
      page.forEach(job -> names.add(job.origin().name()));
      if (page.size() < most) {
        return names;
      }
      StoredJob end = page.get(most - 1);
      last = new JobFilter.Cursor(end.origin().createdAt(), end.id());
    }
  }

  @ParameterizedTest
  @EnumSource(JobOrder.class)
  void pagesMakeTheWholeListForAllAndForConfinedCallers(JobOrder order) {
    List<NamespaceScope> scopes =
        List.of(
            NamespaceScope.ALL,
            NamespaceScope.of(Set.of("team", "other")),
            NamespaceScope.of(Set.of("third")),
            NamespaceScope.of(Set.of("none")));
    for (NamespaceScope scope : scopes) {
      for (List<JobState> states : List.of(List.<JobState>of(), List.of(JobState.PENDING))) {
        JobFilter filter = filter(scope, states);
        List<String> whole = pages(filter, order, JOBS + 1);
        for (int most : new int[] {1, 4, 7}) {
          assertThat(pages(filter, order, most)).isEqualTo(whole).doesNotHaveDuplicates();
        }
      }
    }
  }

  @Test
  void theOldestFirstIsTheReverseOfTheNewestFirst() {
    for (NamespaceScope scope :
        List.of(NamespaceScope.ALL, NamespaceScope.of(Set.of("team", "other")))) {
      JobFilter filter = filter(scope, List.of());
      List<String> newest = pages(filter, JobOrder.NEWEST, 9);
      List<String> oldest = pages(filter, JobOrder.OLDEST, 9);
      assertThat(oldest.get(0)).isIn("job1", "job2");
      assertThat(newest).hasSize(scope.isAll() ? JOBS : JOBS * 2 / 3);
      Collections.reverse(newest);
      assertThat(oldest).isEqualTo(newest);
    }
  }

  @ParameterizedTest
  @EnumSource(JobOrder.class)
  void placesAndJobsOfIdsAreThoseOfTheList(JobOrder order) {
    for (NamespaceScope scope :
        List.of(NamespaceScope.ALL, NamespaceScope.of(Set.of("team", "third")))) {
      JobFilter filter = filter(scope, List.of(JobState.PENDING));
      List<StoredJob> listed = reader.list(filter, order, null, 8);
      List<JobReader.Place> places = reader.places(filter, order, null, 8);
      assertThat(places.stream().map(place -> place.cursor().id()))
          .isEqualTo(listed.stream().map(StoredJob::id).toList());
      assertThat(places.stream().map(JobReader.Place::queue))
          .isEqualTo(listed.stream().map(job -> job.origin().namespace() + "/main").toList());
      List<JobId> ids = new ArrayList<>(listed.stream().map(StoredJob::id).toList());
      Collections.sort(ids);
      assertThat(reader.ofIds(ids, order).stream().map(StoredJob::id))
          .isEqualTo(listed.stream().map(StoredJob::id).toList());
    }
    assertThat(reader.ofIds(List.of(), order)).isEmpty();
  }
}
