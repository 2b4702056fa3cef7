// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import static io.sluice.scheduler.submission.Submitters.submission;
import static io.sluice.scheduler.submission.Submitters.submit;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifests.ManifestReader;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.submission.Submitters.Answer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A repeated request is answered as the first one was, whatever happened since then. */
class RepetitionTest {
  private static final String LEFT_OUT = "";
  private static final String WRITTEN = "queue: main, selectors: [{capacityType: on-demand}], ";

  private Submitters submitters;
  private SubmissionWriter server;

  @BeforeEach
  void start() throws SQLException {
    submitters = Submitters.create();
    server = submitters.server();
    submitters.store(
        """
        apiVersion: cloud.google.com/v1
        kind: ComputeClass
        metadata:
          name: plain
          annotations:
            sluice.io/defaults: '{queue: main, selectors: [{capacityType: on-demand}]}'
        spec: {priorities: [{machineFamily: n2}]}
        """);
  }

  @AfterEach
  void end() throws SQLException {
    server.close();
    submitters.close();
  }

  private static Submission ofClass(String fields, @Nullable String key) {
    return new Submission(
        ManifestReader.readJob(
            """
            apiVersion: sluice.io/v1
            kind: Job
            metadata: {name: job, namespace: team}
            spec: {%scomputeClass: plain, requests: {cpu: 1}, command: ["true"]}
            """
                .formatted(fields)),
        Caller.SERVER,
        key);
  }

  private void remove(String kind) throws SQLException {
    submitters.endJobs();
    submitters.execute("DELETE FROM quota_object WHERE kind = ?", kind);
  }

  private void assertReplayed(Acknowledgement first, List<Submission> request) throws Exception {
    Acknowledgement again = submit(server, request).one();
    assertThat(again.replayed()).isTrue();
    assertThat(again.job()).isEqualTo(first.job());
    assertThat(again.filled()).isEqualTo(first.filled());
    assertThat(submitters.jobs()).isEqualTo(1);
  }

  @Test
  void aRepetitionIsAnsweredAfterTheDeletionOfItsQueue() throws Exception {
    List<Submission> request = List.of(submission("job", "key"));
    Acknowledgement first = submit(server, request).one();
    remove("LocalQueue");
    assertReplayed(first, request);
    assertThat(submit(server, List.of(submission("job", "other"))).refusal())
        .isEqualTo(RefusedException.Kind.UNPROCESSABLE);
  }

  @Test
  void aRepetitionOfAJobWithDefaultsIsAnsweredAfterTheDeletionOfItsClass() throws Exception {
    List<Submission> request = List.of(ofClass(LEFT_OUT, "key"));
    Acknowledgement first = submit(server, request).one();
    assertThat(first.filled().defaults().queue()).isEqualTo("main");
    assertThat(first.filled().defaults().selectors()).hasSize(1);
    remove("ComputeClass");
    assertReplayed(first, request);
    Answer other = submit(server, List.of(ofClass("array: {count: 2}, ", "key")));
    assertThat(other.refusal()).isEqualTo(RefusedException.Kind.KEY_REUSED);
  }

  @Test
  void aRepetitionMaySpellOutTheDefaults() throws Exception {
    Acknowledgement first = submit(server, List.of(ofClass(LEFT_OUT, "key"))).one();
    remove("ComputeClass");
    assertReplayedWritten(first);
  }

  @Test
  void aRequestThatLeavesOutFieldsOfTheFirstOneIsAConflict() throws Exception {
    submit(server, List.of(ofClass(WRITTEN, "key"))).one();
    assertThat(submit(server, List.of(ofClass(LEFT_OUT, "key"))).refusal())
        .isEqualTo(RefusedException.Kind.KEY_REUSED);
  }

  @Test
  void aKeyThatAnOlderServerStoredIsRecognizedByItsDigestWithDefaults() throws Exception {
    List<Submission> request = List.of(ofClass(LEFT_OUT, "key"));
    Acknowledgement first = submit(server, request).one();
    submitters.execute("UPDATE job SET sent_digest = NULL");
    remove("ComputeClass");
    remove("LocalQueue");
    assertReplayed(first, request);
    assertReplayedWritten(first);
    Answer other = submit(server, List.of(ofClass("array: {count: 2}, ", "key")));
    assertThat(other.refusal()).isEqualTo(RefusedException.Kind.KEY_REUSED);
  }

  private void assertReplayedWritten(Acknowledgement first) throws Exception {
    Acknowledgement again = submit(server, List.of(ofClass(WRITTEN, "key"))).one();
    assertThat(again.job()).isEqualTo(first.job());
    assertThat(again.replayed()).isTrue();
  }

  @Test
  void aRequestThatUsesAPartOfTheKeysOfAnotherOneIsAConflict() throws Exception {
    List<Submission> both = List.of(submission("job", "k/0"), submission("job", "k/1"));
    submit(server, List.of(submission("job", "k/0"))).one();
    assertThat(submit(server, both).refusal()).isEqualTo(RefusedException.Kind.KEY_REUSED);
    assertThat(submitters.jobs()).isEqualTo(1);
  }

  @Test
  void aRepetitionIsAnsweredThoughTheQueueAllowsNoFurtherPendingJob() throws Exception {
    submitters.store(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata:
          name: limited
          namespace: team
          annotations: {sluice.io/max-pending-jobs-per-submitter: "1"}
        spec: {clusterQueue: cpus}
        """);
    List<Submission> request = List.of(limited("key"));
    Acknowledgement first = submit(server, request).one();
    assertThat(submit(server, List.of(limited("other"))).refusal())
        .isEqualTo(RefusedException.Kind.LIMIT_REACHED);
    assertReplayed(first, request);
  }

  @Test
  void aRepetitionHasTheTimeLimitThatItsQueueGaveBefore() throws Exception {
    submitters.store(withTimeLimit("2h"));
    List<Submission> request = List.of(limited("key"));
    Acknowledgement first = submit(server, request).one();
    assertThat(first.filled().timeLimit()).isEqualTo(Duration.ofHours(2));
    submitters.endJobs();
    submitters.execute("DELETE FROM quota_object WHERE name = ?", "limited");
    submitters.store(withTimeLimit("1h"));
    assertReplayed(first, request);
    assertThat(submit(server, List.of(limited("other"))).one().filled().timeLimit())
        .isEqualTo(Duration.ofHours(1));
  }

  private static String withTimeLimit(String limit) {
    return """
    apiVersion: kueue.x-k8s.io/v1beta2
    kind: LocalQueue
    metadata: {name: limited, namespace: team, annotations: {sluice.io/max-time-limit: %s}}
    spec: {clusterQueue: cpus}
    """
        .formatted(limit);
  }

  private static Submission limited(String key) {
    return new Submission(
        ManifestReader.readJob(
            """
            apiVersion: sluice.io/v1
            kind: Job
            metadata: {name: job, namespace: team}
            spec: {queue: limited, command: ["true"], requests: {cpu: 1}}
            """),
        Caller.SERVER,
        key);
  }
}
