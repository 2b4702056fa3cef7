// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import static io.sluice.scheduler.submission.Submitters.send;
import static io.sluice.scheduler.submission.Submitters.submission;
import static io.sluice.scheduler.submission.Submitters.submit;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Submissions remember quota objects, and yet each sees those of its time. */
class KnownObjectsTest {
  private static final String DELETE_QUEUE =
      "DELETE FROM quota_object WHERE kind = 'LocalQueue' AND name = 'main'";
  private static final String LEAD_TO_OTHERS =
      """
      UPDATE quota_object SET manifest = replace(manifest::text, '"cpus"', '"others"')::jsonb
      WHERE kind = 'LocalQueue' AND name = 'main'
      """;

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

  private void submitTo(String clusterQueue) throws Exception {
    // More often than there are writers, each of which remembers for itself.
    for (int number = 0; number < 6; number++) {
      submit(server, List.of(submission("to-" + clusterQueue, null))).one();
    }
    assertThat(
            submitters.ask(
                "SELECT count(*) FROM job WHERE name = 'to-%1$s' AND cluster_queue <> '%1$s'"
                    .formatted(clusterQueue)))
        .isZero();
  }

  @Test
  void aQueueOfAJobThatIsBeingWrittenCannotBeDeleted() throws Exception {
    CompletableFuture<List<Acknowledgement>> written;
    CompletableFuture<Void> deleted;
    try (Connection blocker = submitters.blockJobs()) {
      written = send(server, List.of(submission("job", "key")));
      submitters.awaitBlocked(1);
      deleted =
          CompletableFuture.runAsync(
              () -> {
                try {
                  submitters.execute(DELETE_QUEUE);
                } catch (SQLException refused) {
                  throw new CompletionException(refused);
                }
              });
      submitters.awaitBlocked(2);
      blocker.rollback();
    }
    assertThat(written).succeedsWithin(Duration.ofSeconds(60));
    assertThat(deleted)
        .failsWithin(Duration.ofSeconds(60))
        .withThrowableThat()
        .withMessageContaining("LocalQueue team/main is in use by a job");
  }

  @Test
  void aSubmissionWaitsForADeletionAndIsRefusedAfterIt() throws Exception {
    submitTo("cpus");
    submitters.endJobs();
    CompletableFuture<List<Acknowledgement>> answer;
    try (Connection deleting = submitters.database().getConnection();
        Statement statement = deleting.createStatement()) {
      deleting.setAutoCommit(false);
      statement.execute(DELETE_QUEUE);
      answer = send(server, List.of(submission("late", "key")));
      submitters.awaitBlocked(1);
      deleting.commit();
    }
    assertThat(Submitters.await(answer).refusal()).isEqualTo(RefusedException.Kind.UNPROCESSABLE);
    assertThat(submitters.ask("SELECT count(*) FROM job WHERE name = 'late'")).isZero();
  }

  @Test
  void aChangeOfAnObjectIsSeenAndOneThatIsRolledBackIsNot() throws Exception {
    submitters.store(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: ClusterQueue
        metadata: {name: others}
        spec:
          namespaceSelector: {}
          resourceGroups:
          - coveredResources: [cpu]
            flavors: [{name: cpu, resources: [{name: cpu, nominalQuota: 4}]}]
        """);
    submitTo("cpus");
    try (Connection edit = submitters.database().getConnection();
        Statement statement = edit.createStatement()) {
      edit.setAutoCommit(false);
      statement.execute(LEAD_TO_OTHERS);
      submitTo("cpus");
      edit.rollback();
    }
    submitTo("cpus");
    submitters.execute(LEAD_TO_OTHERS);
    submitTo("others");
  }
}
