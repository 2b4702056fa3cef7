// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.store.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.job.JobState;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.store.TimeRange;
import io.sluice.scheduler.store.job.JobCounter.Dimension;
import io.sluice.scheduler.store.job.JobCounter.Grouping;
import io.sluice.scheduler.submission.Submitters;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Numbers of jobs by state, queue, namespace and team. */
class JobCounterTest {
  private static final int JOBS = 1_200;

  private Submitters database;
  private JobCounter counter;

  @BeforeEach
  void start() throws SQLException {
    database = Submitters.create();
    counter = new JobCounter(database.database());
    database.execute("INSERT INTO workload_shape (digest, body) VALUES ('digest', '{}')");
    database.execute(
        "UPDATE quota_object SET manifest ="
            + " jsonb_set(manifest, '{metadata,labels}', '{\"sluice.io/team\": \"vision\"}')"
            + " WHERE kind = 'LocalQueue'");
    database.execute(
        """
        INSERT INTO job (id, namespace, name, local_queue, cluster_queue, priority, preemptible,
          shape_id, grace_period_ms, max_failures, index_count, max_parallel, labels, manifest,
          state, finished_at)
        SELECT gen_random_uuid(), CASE WHEN mod(n, 4) = 3 THEN 'other' ELSE 'team' END, 'job',
          CASE WHEN mod(n, 2) = 1 THEN 'main' ELSE 'gone' END, 'cpus', 0, false,
          (SELECT id FROM workload_shape), 0, 0, 1, 1,
          jsonb_build_object('model', 'm' || mod(n, 3)), '{}',
          CASE WHEN mod(n, 3) = 0 THEN 'PENDING' ELSE 'SUCCEEDED' END,
          CASE WHEN mod(n, 3) = 0 THEN NULL ELSE now() END
        FROM generate_series(1, %d) n
        """
            .formatted(JOBS));
  }

  @AfterEach
  void end() throws SQLException {
    database.close();
  }

  private static JobFilter filter(List<JobState> states, Map<String, String> labels) {
    return new JobFilter(
        NamespaceScope.ALL,
        null,
        null,
        null,
        null,
        null,
        null,
        states,
        null,
        Labels.of(labels),
        TimeRange.ALL);
  }

  private static JobFilter ofClass(String priorityClass) {
    return new JobFilter(
        NamespaceScope.ALL,
        null,
        null,
        null,
        priorityClass,
        null,
        null,
        List.of(),
        null,
        Labels.of(Map.of()),
        TimeRange.ALL);
  }

  private List<String> count(JobFilter filter, Set<Dimension> by, int most) {
    return counter.count(filter, Grouping.of(by), most).stream()
        .map(group -> String.join(" ", group.values().values()) + " " + group.count())
        .toList();
  }

  @Test
  void eachGroupHasTheTimeOfItsOldestJob() throws SQLException {
    database.execute(
        "UPDATE job SET created_at = '2026-01-01T00:00:00Z' WHERE id ="
            + " (SELECT id FROM job WHERE namespace = 'other' AND state = 'PENDING' LIMIT 1)");
    Map<String, Boolean> oldest = new TreeMap<>();
    JobFilter all = filter(List.of(), Map.of());
    Grouping by = Grouping.of(EnumSet.of(Dimension.NAMESPACE, Dimension.STATE));
    for (JobCounter.Group group : counter.count(all, by, 9)) {
      oldest.put(
          String.join(" ", group.values().values()),
          group.oldest().equals(Instant.parse("2026-01-01T00:00:00Z")));
    }
    assertThat(oldest)
        .isEqualTo(
            Map.of(
                "PENDING other", true,
                "PENDING team", false,
                "SUCCEEDED other", false,
                "SUCCEEDED team", false));
  }

  @Test
  void groupsAreOrderedAndSumUpToAllJobs() {
    JobFilter all = filter(List.of(), Map.of());
    assertThat(count(all, EnumSet.of(Dimension.STATE), 9))
        .containsExactly("PENDING 400", "SUCCEEDED 800");
    assertThat(count(all, EnumSet.of(Dimension.QUEUE), 9))
        .containsExactly("other/main 300", "team/gone 600", "team/main 300");
    assertThat(count(all, EnumSet.of(Dimension.NAMESPACE, Dimension.STATE), 9))
        .containsExactly(
            "PENDING other 100", "PENDING team 300", "SUCCEEDED other 200", "SUCCEEDED team 600");
    assertThat(count(all, EnumSet.of(Dimension.CLUSTER_QUEUE), 9)).containsExactly("cpus 1200");
    assertThat(count(all, EnumSet.complementOf(EnumSet.of(Dimension.LABEL)), 2)).hasSize(2);
  }

  @Test
  void aPriorityClassIsThePresentOne() throws SQLException {
    database.execute("UPDATE job SET priority_class = 'low' WHERE namespace = 'other'");
    database.execute(
        """
        UPDATE job SET changed_priority_class = 'high', changed_priority = 9,
          changed_preemptible = false, priority_changed_at = now()
        WHERE id IN (SELECT id FROM job WHERE namespace = 'other' LIMIT 20)
        """);
    JobFilter all = filter(List.of(), Map.of());
    assertThat(count(all, EnumSet.of(Dimension.PRIORITY_CLASS), 9))
        .containsExactly(" 900", "high 20", "low 280");
    assertThat(count(ofClass("low"), EnumSet.of(Dimension.NAMESPACE), 9))
        .containsExactly("other 280");
    assertThat(count(ofClass("high"), EnumSet.of(Dimension.NAMESPACE), 9))
        .containsExactly("other 20");
    assertThat(count(ofClass(""), EnumSet.of(Dimension.NAMESPACE), 9)).isEmpty();
  }

  @Test
  void aTeamIsTheLabelOfTheLocalQueueElseTheNamespace() {
    assertThat(count(filter(List.of(), Map.of()), EnumSet.of(Dimension.TEAM), 9))
        .containsExactly("other 300", "team 600", "vision 300");
  }

  @Test
  void onlyTheJobsOfTheFilterAreCounted() {
    assertThat(
            count(
                filter(List.of(JobState.PENDING, JobState.RUNNING), Map.of()),
                EnumSet.of(Dimension.STATE),
                9))
        .containsExactly("PENDING 400");
    assertThat(
            count(
                filter(List.of(JobState.SUCCEEDED), Map.of("model", "m1")),
                EnumSet.of(Dimension.NAMESPACE),
                9))
        .containsExactly("other 100", "team 300");
    assertThat(
            count(filter(List.of(), Map.of("model", "none")), EnumSet.of(Dimension.NAMESPACE), 9))
        .isEmpty();
  }

  private static JobFilter ofTeam(String team) {
    return new JobFilter(
        NamespaceScope.ALL,
        null,
        null,
        null,
        null,
        null,
        team,
        List.of(),
        null,
        Labels.of(Map.of()),
        TimeRange.ALL);
  }

  /** The team of a namespace comes before that of a queue, and both before the namespace. */
  @Test
  void theFilterOfATeamFindsTheJobsThatAreCountedForIt() throws SQLException {
    checkTeams("other 300", "team 600", "vision 300");
    database.execute("INSERT INTO team_namespace (namespace, team) VALUES ('other', 'language')");
    checkTeams("language 300", "team 600", "vision 300");
    database.execute("INSERT INTO team_namespace (namespace, team) VALUES ('team', 'vision')");
    checkTeams("language 300", "vision 900");
  }

  private void checkTeams(String... counts) {
    Set<Dimension> byTeam = EnumSet.of(Dimension.TEAM);
    assertThat(count(filter(List.of(), Map.of()), byTeam, 9)).containsExactly(counts);
    for (String one : counts) {
      assertThat(count(ofTeam(one.replaceFirst(" .*", "")), byTeam, 9)).containsExactly(one);
    }
    assertThat(count(ofTeam("nobody"), byTeam, 9)).isEmpty();
  }

  private static JobFilter ofComputeClass(String computeClass) {
    return new JobFilter(
        NamespaceScope.ALL,
        null,
        null,
        null,
        null,
        computeClass,
        null,
        List.of(),
        null,
        Labels.of(Map.of()),
        TimeRange.ALL);
  }

  @Test
  void aComputeClassIsThatOfTheShape() throws SQLException {
    database.execute(
        "INSERT INTO workload_shape (digest, body) VALUES"
            + " ('a', '{\"computeClass\": \"fast\"}'), ('b', '{\"computeClass\": \"fast\"}')");
    database.execute(
        "UPDATE job SET shape_id = (SELECT id FROM workload_shape WHERE digest ="
            + " CASE WHEN state = 'PENDING' THEN 'a' ELSE 'b' END) WHERE namespace = 'other'");
    JobFilter all = filter(List.of(), Map.of());
    assertThat(count(all, EnumSet.of(Dimension.COMPUTE_CLASS), 9))
        .containsExactly(" 900", "fast 300");
    assertThat(count(all, EnumSet.of(Dimension.COMPUTE_CLASS, Dimension.TEAM), 9))
        .containsExactly("other fast 300", "team  600", "vision  300");
    assertThat(count(ofComputeClass("fast"), EnumSet.of(Dimension.STATE), 9))
        .containsExactly("PENDING 100", "SUCCEEDED 200");
    assertThat(count(ofComputeClass("slow"), EnumSet.of(Dimension.STATE), 9)).isEmpty();
    assertThat(count(ofComputeClass(""), EnumSet.of(Dimension.STATE), 9)).isEmpty();
    assertThat(waiting(ofComputeClass("fast"), EnumSet.of(Dimension.COMPUTE_CLASS)))
        .hasSize(100)
        .containsOnly("fast");
  }

  private List<String> byLabel(JobFilter filter, Set<Dimension> others, String key) {
    Set<Dimension> by = EnumSet.of(Dimension.LABEL);
    by.addAll(others);
    return counter.count(filter, new Grouping(by, key), 9).stream()
        .map(group -> String.join(" ", group.values().values()) + " " + group.count())
        .toList();
  }

  @Test
  void aLabelIsOneOfTheGroupingWhateverItsKey() throws SQLException {
    JobFilter all = filter(List.of(), Map.of());
    assertThat(byLabel(all, Set.of(), "model")).containsExactly("m0 400", "m1 400", "m2 400");
    assertThat(byLabel(all, Set.of(), "none")).containsExactly(" 1200");
    assertThat(byLabel(all, Set.of(), "'; --")).containsExactly(" 1200");
    assertThat(
            byLabel(
                filter(List.of(JobState.PENDING), Map.of("model", "m0")),
                Set.of(Dimension.TEAM, Dimension.COMPUTE_CLASS),
                "model"))
        .containsExactly("other  m0 100", "team  m0 200", "vision  m0 100");
    database.execute(
        "UPDATE job SET labels = '{\"example.com/run\": \"\"}' WHERE namespace = 'other'");
    assertThat(byLabel(all, Set.of(), "example.com/run")).containsExactly(" 1200");
    Grouping model = new Grouping(EnumSet.of(Dimension.LABEL), "model");
    assertThat(
            counter.waiting(all, model, JOBS).stream()
                .map(job -> job.values().get(Dimension.LABEL))
                .distinct())
        .containsExactlyInAnyOrder("", "m0");
  }

  private List<String> waiting(JobFilter filter, Set<Dimension> by) {
    return counter.waiting(filter, Grouping.of(by), JOBS).stream()
        .map(job -> String.join(" ", job.values().values()))
        .toList();
  }

  @Test
  void waitingJobsAreThePendingOnesOfTheFilterWithTheirValues() {
    JobFilter all = filter(List.of(), Map.of());
    Set<Dimension> by = EnumSet.of(Dimension.STATE, Dimension.TEAM);
    List<String> values = waiting(all, by);
    assertThat(values).hasSize(400);
    assertThat(values.stream().distinct())
        .containsExactlyInAnyOrder("PENDING other", "PENDING team", "PENDING vision");
    assertThat(values.stream().filter("PENDING team"::equals)).hasSize(200);
    assertThat(
            counter.waiting(all, Grouping.of(Set.of()), JOBS).stream().map(JobCounter.Waiting::id))
        .doesNotHaveDuplicates()
        .hasSize(400);
    assertThat(counter.waiting(all, Grouping.of(Set.of()), 7)).hasSize(7);
    assertThat(waiting(filter(List.of(JobState.PENDING, JobState.FAILED), Map.of()), by))
        .hasSize(400);
    assertThat(waiting(filter(List.of(JobState.SUCCEEDED), Map.of()), by)).isEmpty();
    assertThat(waiting(filter(List.of(), Map.of("model", "m1")), by)).isEmpty();
  }

  @Test
  void waitingJobsOfOneQueueFollowOneAnother() {
    List<String> queues = waiting(filter(List.of(), Map.of()), EnumSet.of(Dimension.QUEUE));
    List<String> changes = new ArrayList<>();
    for (String queue : queues) {
      if (changes.isEmpty() || !changes.get(changes.size() - 1).equals(queue)) {
        changes.add(queue);
      }
    }
    assertThat(changes).containsExactly("other/main", "team/gone", "team/main");
  }
}
