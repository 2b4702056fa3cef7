// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.submission;

import static io.sluice.scheduler.submission.Submitters.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.Role;
import io.sluice.scheduler.submission.Submitters.Answer;
import java.sql.SQLException;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A LocalQueue bounds how many jobs of one submitter are pending, whoever writes them. */
@SuppressWarnings("NullAway.Init")
class PendingLimitsTest {
  private static final int LIMIT = 10;
  private static final String MAIN = "kind = 'LocalQueue' AND name = 'main'";

  private Submitters submitters;
  private SubmissionWriter one;
  private SubmissionWriter other;

  @BeforeEach
  void start() throws SQLException {
    submitters = Submitters.create();
    submitters.execute("DELETE FROM quota_object WHERE " + MAIN);
    submitters.store(
        """
        apiVersion: kueue.x-k8s.io/v1beta2
        kind: LocalQueue
        metadata:
          name: main
          namespace: team
          annotations:
            sluice.io/max-pending-jobs-per-submitter: "%d"
        spec: {clusterQueue: cpus}
        """
            .formatted(LIMIT));
    one = submitters.server();
    other = submitters.server();
  }

  @AfterEach
  void end() throws SQLException {
    one.close();
    other.close();
    submitters.close();
  }

  private static Submission by(String who, String name, @Nullable String key) {
    Caller caller = new Caller(who, Role.SUBMITTER, List.of(Caller.ALL));
    return new Submission(job(name, 1), caller, key);
  }

  private List<Answer> atOnce(int callers, IntFunction<List<Submission>> jobs) throws Exception {
    return Submitters.atOnce(callers, caller -> caller % 2 == 0 ? one : other, jobs);
  }

  private static long acknowledged(List<Answer> answers) {
    return answers.stream().filter(answer -> answer.failure() == null).count();
  }

  @Test
  void manyWhoSubmitAtOnceOverTwoServersDoNotExceedIt() throws Exception {
    List<Answer> answers = atOnce(40, caller -> List.of(by("alice", "job-" + caller, null)));

    assertThat(acknowledged(answers)).isEqualTo(LIMIT);
    assertThat(submitters.jobs()).isEqualTo(LIMIT);
    assertThat(answers)
        .filteredOn(answer -> answer.failure() != null)
        .allSatisfy(
            answer -> {
              assertThat(answer.refusal()).isEqualTo(RefusedException.Kind.LIMIT_REACHED);
              assertThat(answer.failure())
                  .hasMessageContaining("team/main")
                  .hasMessageContaining("10 pending jobs")
                  .hasMessageContaining("alice has 10");
            });
  }

  @Test
  void eachSubmitterIsCountedAlone() throws Exception {
    List<Answer> answers =
        atOnce(30, caller -> List.of(by(caller % 3 == 0 ? "alice" : "bob", "job-" + caller, null)));
    assertThat(acknowledged(answers)).isEqualTo(2 * LIMIT);
  }

  @Test
  void whatIsReplayedIsNotCountedAgain() throws Exception {
    List<Answer> first =
        atOnce(LIMIT, caller -> List.of(by("alice", "job-" + caller, "k" + caller)));
    assertThat(acknowledged(first)).isEqualTo(LIMIT);
    List<Answer> again =
        atOnce(LIMIT, caller -> List.of(by("alice", "job-" + caller, "k" + caller)));
    assertThat(acknowledged(again)).isEqualTo(LIMIT);
    assertThat(submitters.jobs()).isEqualTo(LIMIT);
    assertThat(acknowledged(atOnce(1, caller -> List.of(by("alice", "new", "new"))))).isZero();
  }

  @Test
  void aRequestIsTakenWholeOrNotAtAll() throws Exception {
    List<Submission> six =
        List.of(
            by("alice", "a", null),
            by("alice", "b", null),
            by("alice", "c", null),
            by("alice", "d", null),
            by("alice", "e", null),
            by("alice", "f", null));
    assertThat(acknowledged(atOnce(4, caller -> six))).isEqualTo(1);
    assertThat(submitters.jobs()).isEqualTo(6);
  }

  @Test
  void whatWasAdmittedOrHasEndedIsNotCounted() throws Exception {
    atOnce(LIMIT, caller -> List.of(by("alice", "job-" + caller, null)));
    assertThat(acknowledged(atOnce(1, caller -> List.of(by("alice", "late", null))))).isZero();
    submitters.execute("UPDATE job SET state = 'PENDING'");
    assertThat(acknowledged(atOnce(1, caller -> List.of(by("alice", "late", null))))).isZero();
    submitters.execute("UPDATE job SET state = 'ADMITTED' WHERE name = 'job-0'");
    submitters.execute(
        "UPDATE job SET state = 'CANCELLED', finished_at = now() WHERE name = 'job-1'");
    assertThat(acknowledged(atOnce(4, caller -> List.of(by("alice", "late", null))))).isEqualTo(2);
  }
}
