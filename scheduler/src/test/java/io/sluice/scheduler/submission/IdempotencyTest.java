// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import static io.sluice.scheduler.submission.Submitters.atOnce;
import static io.sluice.scheduler.submission.Submitters.job;
import static io.sluice.scheduler.submission.Submitters.submission;
import static io.sluice.scheduler.submission.Submitters.submit;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifests.ManifestReader;
import io.sluice.queuemodel.job.JobId;
import io.sluice.queuemodel.job.JobSpec;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.submission.Submitters.Answer;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One idempotency key is one job, whoever submits it when and how often. */
class IdempotencyTest {
  private static final int CALLERS = 20;

  private Submitters submitters;
  private SubmissionWriter one;
  private SubmissionWriter other;

  @BeforeEach
  void start() throws SQLException {
    submitters = Submitters.create();
    one = submitters.server();
    other = submitters.server();
  }

  @AfterEach
  void end() throws SQLException {
    one.close();
    other.close();
    submitters.close();
  }

  private SubmissionWriter server(int caller) {
    return caller % 2 == 0 ? one : other;
  }

  @Test
  void aKeyUsedByTwentyCallersOfTwoServersAtOnceIsOneJob() throws Exception {
    for (int round = 0; round < 10; round++) {
      String key = "key " + round;
      List<Answer> answers =
          atOnce(CALLERS, this::server, caller -> List.of(submission("job", key)));
      assertThat(ids(answers)).hasSize(1);
      assertThat(answers.stream().filter(answer -> !answer.one().replayed())).hasSize(1);
    }
    assertThat(submitters.jobs()).isEqualTo(10);
    assertThat(submitters.ask("SELECT count(*) FROM input WHERE kind = 'SubmitJob'")).isEqualTo(10);
  }

  private static Set<JobId> ids(List<Answer> answers) {
    Set<JobId> ids = new TreeSet<>();
    answers.stream()
        .filter(answer -> answer.failure() == null)
        .forEach(answer -> ids.add(answer.one().job()));
    return ids;
  }

  @Test
  void aKeyUsedForTwoJobsAtOnceIsOneOfThemAndTheOtherIsRefused() throws Exception {
    List<Answer> answers =
        atOnce(
            CALLERS,
            this::server,
            caller ->
                List.of(new Submission(job("job", 1 + caller % 4 / 2), Caller.SERVER, "key")));
    assertThat(submitters.jobs()).isEqualTo(1);
    List<Answer> refused = answers.stream().filter(answer -> answer.failure() != null).toList();
    assertThat(refused)
        .hasSize(CALLERS / 2)
        .allSatisfy(
            answer -> {
              assertThat(answer.refusal()).isEqualTo(RefusedException.Kind.KEY_REUSED);
              assertThat(answer.failure()).hasMessageContaining("Idempotency-Key");
            });
    assertThat(ids(answers)).hasSize(1);
  }

  @Test
  void aKeyIsOfItsNamespaceAndJobsWithoutOneAreAlwaysNew() throws Exception {
    submitters.store(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata: {name: main, namespace: other}
        spec: {clusterQueue: cpus}
        """);
    JobSpec elsewhere =
        ManifestReader.readJob(
            """
            apiVersion: sluice.io/v1
            kind: Job
            metadata: {name: job, namespace: other}
            spec: {queue: main, command: ["true"], requests: {cpu: 1}}
            """);
    submit(one, List.of(submission("job", "key"))).one();
    Answer other = submit(one, List.of(new Submission(elsewhere, Caller.SERVER, "key")));
    assertThat(other.one().replayed()).isFalse();
    submit(one, List.of(submission("job", null))).one();
    submit(one, List.of(submission("job", null))).one();
    assertThat(submitters.jobs()).isEqualTo(4);
  }

  @Test
  void aRequestOfSeveralJobsIsRepeatedWholeOrRefused() throws Exception {
    List<Submission> request =
        List.of(submission("a", "k/0"), submission("b", "k/1"), submission("c", "k/2"));
    Answer first = submit(one, request);
    assertThat(submitters.jobs()).isEqualTo(3);

    Answer again = submit(other, request);
    assertThat(again.acknowledged()).allMatch(Acknowledgement::replayed);
    assertThat(again.acknowledged().stream().map(Acknowledgement::job).toList())
        .isEqualTo(first.acknowledged().stream().map(Acknowledgement::job).toList());

    List<Submission> longer = new ArrayList<>(request);
    longer.add(submission("d", "k/3"));
    assertThat(submit(one, longer).refusal()).isEqualTo(RefusedException.Kind.KEY_REUSED);
    assertThat(submit(one, request.subList(0, 2)).refusal())
        .isEqualTo(RefusedException.Kind.KEY_REUSED);
    assertThat(submitters.jobs()).isEqualTo(3);
  }

  @Test
  void requestsThatUseTheSameKeysInAnyOrderDoNotStopEachOther() throws Exception {
    for (int round = 0; round < 15; round++) {
      List<Submission> forth = new ArrayList<>();
      for (int number = 0; number < 50; number++) {
        forth.add(submission("job", "key %d/%d".formatted(round, number)));
      }
      List<Submission> back = new ArrayList<>(forth);
      Collections.reverse(back);
      List<Answer> answers = atOnce(8, this::server, caller -> caller % 2 == 0 ? forth : back);
      assertThat(answers).allSatisfy(answer -> assertThat(answer.failure()).isNull());
      assertThat(submitters.jobs()).isEqualTo((round + 1) * 50L);
    }
  }
}
