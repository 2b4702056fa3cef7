// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import static io.sluice.scheduler.submission.Submitters.atOnce;
import static io.sluice.scheduler.submission.Submitters.job;
import static io.sluice.scheduler.submission.Submitters.send;
import static io.sluice.scheduler.submission.Submitters.submission;
import static io.sluice.scheduler.submission.Submitters.submit;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.Labels;
import io.sluice.queuemodel.ObjectMeta;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.store.StoreException;
import io.sluice.scheduler.submission.Submitters.Answer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests share commits, and yet each is stored by itself: whole or not at all. */
class SubmissionWriterTest {
  private Submitters submitters;
  private SubmissionWriter server;

  @BeforeEach
  void start() throws SQLException {
    submitters = Submitters.create();
    server = submitters.server();
  }

  @AfterEach
  void end() throws SQLException {
    server.close();
    submitters.close();
  }

  private static JobSpec jobOfQueue(String queue) {
    return ManifestReader.readJob(
        """
        apiVersion: sluice.io/v1
        kind: Job
        metadata: {name: job, namespace: team}
        spec: {queue: %s, command: ["true"], requests: {cpu: 1}}
        """
            .formatted(queue));
  }

  /** PostgreSQL keeps no text with a NUL in it. */
  private static JobSpec unstorable() {
    JobSpec job = job("job", 1);
    return new JobSpec(
        new ObjectMeta(
            job.meta().namespace(), job.meta().name(), Labels.of(Map.of("a", "\0")), Labels.NONE),
        job.queue(),
        job.priority(),
        job.podSets(),
        job.accelerator(),
        job.limits(),
        job.array());
  }

  @Test
  void requestsThatComeWhileOthersAreWrittenShareACommit() throws Exception {
    List<CompletableFuture<List<Acknowledgement>>> answers = new ArrayList<>();
    try (Connection blocker = submitters.blockJobs()) {
      answers.add(send(server, List.of(submission("first", null))));
      submitters.awaitBlocked(1);
      answers.add(send(server, List.of(submission("second", null))));
      submitters.awaitBlocked(2);
      for (int number = 0; number < 400; number++) {
        answers.add(send(server, List.of(submission("job-" + number, null))));
      }
      blocker.rollback();
    }
    for (CompletableFuture<List<Acknowledgement>> answer : answers) {
      answer.get(60, TimeUnit.SECONDS);
    }
    assertThat(submitters.jobs()).isEqualTo(402);
    // One a writer while the table was blocked; afterwards at most one more each.
    assertThat(submitters.ask("SELECT count(DISTINCT xmin::text) FROM job")).isBetween(3L, 4L);
  }

  @Test
  void nothingIsAcknowledgedBeforeItIsDurable() throws Exception {
    CompletableFuture<List<Acknowledgement>> answer;
    try (Connection blocker = submitters.blockJobs()) {
      answer = send(server, List.of(submission("job", null)));
      submitters.awaitBlocked(1);
      assertThat(answer).isNotDone();
      blocker.rollback();
    }
    String id = answer.get(60, TimeUnit.SECONDS).get(0).job().toString();
    assertThat(submitters.ask("SELECT count(*) FROM job WHERE id = '" + id + "'")).isEqualTo(1);
  }

  @Test
  void aRequestOfSeveralJobsIsStoredWholeOrNotAtAll() throws Exception {
    List<Submission> wrong =
        List.of(
            submission("a", null),
            new Submission(jobOfQueue("nowhere"), Caller.SERVER, null),
            submission("c", null));
    List<Submission> right = List.of(submission("d", null), submission("e", null));
    List<Answer> answers = atOnce(10, caller -> server, caller -> caller % 2 == 0 ? wrong : right);
    for (int caller = 0; caller < answers.size(); caller++) {
      if (caller % 2 == 0) {
        assertThat(answers.get(caller).refusal()).isEqualTo(RefusedException.Kind.UNPROCESSABLE);
        assertThat(answers.get(caller).failure()).hasMessageContaining("spec.queue", "nowhere");
      } else {
        assertThat(answers.get(caller).acknowledged()).hasSize(2);
      }
    }
    assertThat(submitters.jobs()).isEqualTo(10);
    assertThat(submitters.ask("SELECT count(*) FROM input")).isEqualTo(10);
    assertThat(submitters.ask("SELECT count(*) FROM job WHERE name IN ('a', 'c')")).isZero();
  }

  @Test
  void shapesThatNobodyAskedForBeforeAreStoredOnceByWhoeverComes() throws Exception {
    for (int round = 0; round < 15; round++) {
      List<Submission> forth = new ArrayList<>();
      for (int number = 0; number < 30; number++) {
        JobSpec job = job("job", round * 100 + number / 2 + 1);
        forth.add(new Submission(job, Caller.SERVER, null));
      }
      List<Submission> back = new ArrayList<>(forth);
      Collections.reverse(back);
      List<Answer> answers = atOnce(8, caller -> server, caller -> caller % 2 == 0 ? forth : back);
      assertThat(answers).allSatisfy(answer -> assertThat(answer.failure()).isNull());
    }
    assertThat(submitters.jobs()).isEqualTo(15 * 8 * 30);
    assertThat(submitters.ask("SELECT count(*) FROM workload_shape")).isEqualTo(15 * 15);
  }

  @Test
  void aJobThatTheDatabaseCannotStoreFailsAlone() throws Exception {
    JobSpec unstorable = unstorable();
    List<Answer> answers =
        atOnce(
            10,
            caller -> server,
            caller ->
                List.of(
                    caller == 3
                        ? new Submission(unstorable, Caller.SERVER, null)
                        : submission("job", null)));
    for (int caller = 0; caller < answers.size(); caller++) {
      if (caller != 3) {
        assertThat(answers.get(caller).one().replayed()).isFalse();
      }
    }
    assertThat(answers.get(3).failure()).isNotNull();
    assertThat(submitters.jobs()).isEqualTo(9);
  }

  @Test
  void beyondWhatMayWaitRequestsAreRefusedAndNothingOfThemIsStored() throws Exception {
    List<Submission> thousand = Collections.nCopies(1_000, submission("job", null));
    List<CompletableFuture<List<Acknowledgement>>> answers = new ArrayList<>();
    try (Connection blocker = submitters.blockJobs()) {
      for (int number = 0; number < SubmissionWriter.WAITING_MAX / 1_000 + 5; number++) {
        answers.add(send(server, thousand));
      }
      blocker.rollback();
    }
    int accepted = 0;
    for (CompletableFuture<List<Acknowledgement>> pending : answers) {
      Answer answer = Submitters.await(pending);
      if (answer.failure() == null) {
        assertThat(answer.acknowledged()).hasSize(1_000);
        accepted++;
      } else {
        assertThat(answer.refusal()).isEqualTo(RefusedException.Kind.OVERLOADED);
      }
    }
    assertThat(accepted).isBetween(20, 22);
    assertThat(submitters.jobs()).isEqualTo(accepted * 1_000L);
    assertThat(submit(server, List.of(submission("job", null))).one().replayed()).isFalse();
  }

  @Test
  void aBrokenConnectionIsToldAndARepetitionWithTheSameKeySettlesIt() throws Exception {
    CompletableFuture<List<Acknowledgement>> answer;
    try (Connection blocker = submitters.blockJobs()) {
      answer = send(server, List.of(submission("job", "key")));
      submitters.awaitBlocked(1);
      submitters.ask(
          "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
              + " WHERE datname = current_database() AND usename = current_user"
              + " AND wait_event_type = 'Lock'");
      assertThat(answer)
          .failsWithin(Duration.ofSeconds(60))
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(StoreException.class);
      blocker.rollback();
    }
    submit(server, List.of(submission("job", "key"))).one();
    assertThat(submit(server, List.of(submission("job", "key"))).one().replayed()).isTrue();
    assertThat(submitters.jobs()).isEqualTo(1);
  }

  @Test
  void aQueueThatWasDeletedAndMadeAgainIsTheNewOne() throws Exception {
    submit(server, List.of(submission("before", null))).one();
    submit(server, List.of(submission("before", null))).one();
    submitters.endJobs();
    submitters.execute("DELETE FROM quota_object WHERE kind = 'LocalQueue'");
    submitters.store(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: main, namespace: team}
        spec: {clusterQueue: others}
        """);
    for (int number = 0; number < 10; number++) {
      submit(server, List.of(submission("after", null))).one();
    }
    assertThat(
            submitters.ask(
                "SELECT count(*) FROM job WHERE name = 'after' AND cluster_queue = 'others'"))
        .isEqualTo(10);
  }

  @Test
  void beyondTheBytesThatMayWaitRequestsAreRefusedAndALargeOneAloneIsTaken() throws Exception {
    SubmissionWriter small = submitters.server(1_000);
    List<CompletableFuture<List<Acknowledgement>>> answers = new ArrayList<>();
    try {
      try (Connection blocker = submitters.blockJobs()) {
        // Each writer takes what waits, and then waits for the lock itself.
        for (int writer = 1; writer <= 2; writer++) {
          answers.add(small.submit(List.of(submission("job", null)), 5_000));
          submitters.awaitBlocked(writer);
        }
        for (int number = 0; number < 5; number++) {
          answers.add(small.submit(List.of(submission("job", null)), 400));
        }
        blocker.rollback();
      }
      List<Boolean> accepted = new ArrayList<>();
      for (CompletableFuture<List<Acknowledgement>> pending : answers) {
        Answer answer = Submitters.await(pending);
        accepted.add(answer.failure() == null);
        if (answer.failure() != null) {
          assertThat(answer.refusal()).isEqualTo(RefusedException.Kind.OVERLOADED);
        }
      }
      assertThat(accepted).containsExactly(true, true, true, true, false, false, false);
      assertThat(submitters.jobs()).isEqualTo(4);
    } finally {
      small.close();
    }
  }
}
