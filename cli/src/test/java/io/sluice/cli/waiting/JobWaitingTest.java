// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.client.RefusedException;
import io.sluice.cli.client.ServerAddress;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.client.UnreachableException;
import io.sluice.cli.options.WaitTime;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.watching.JournalServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waiting for states of jobs by the events of a server. */
@SuppressWarnings("NullAway.Init") // JUnit fills the fields.
class JobWaitingTest {
  private static final Set<String> SUCCESS = JobWaiting.SUCCESS;

  @TempDir Path data;

  private JournalServer server;

  @BeforeEach
  void start() throws Exception {
    server = new JournalServer();
    server.job("train", "PENDING");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static boolean isWait(String request) {
    return request.startsWith("/v1/events?job=train&kind=Job&kind=Attempt&");
  }

  private static boolean isRead(String request) {
    return request.equals("/v1/jobs/train");
  }

  private static int await(ServerClient client, Set<String> states, @Nullable Instant deadline)
      throws InterruptedException {
    return new JobWaiting(client, Terminal.standard()).await("train", states, deadline);
  }

  /** Begins to wait, and returns when the server is asked for events. */
  private CompletableFuture<Integer> begin(ServerClient client, Set<String> states)
      throws InterruptedException {
    CompletableFuture<Integer> code =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return await(client, states, null);
              } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
              }
            });
    server.awaitRequests(1, JobWaitingTest::isWait);
    return code;
  }

  private static int code(CompletableFuture<Integer> wait) throws Exception {
    return wait.get(60, TimeUnit.SECONDS);
  }

  @Test
  void theCodeSaysHowTheWaitEnded() throws Exception {
    List<String> states = List.of("SUCCEEDED", "FAILED", "RUNNING", "SUCCEEDED", "FAILED");
    List<Set<String>> wanted =
        List.of(SUCCESS, SUCCESS, Set.of("RUNNING"), Set.of("RUNNING"), Set.of("FAILED"));
    List<Integer> codes = List.of(0, 1, 0, 0, 0);
    for (int number = 0; number < codes.size(); number++) {
      server.job("train", states.get(number));
      assertThat(await(server.client(), wanted.get(number), null)).isEqualTo(codes.get(number));
    }
  }

  @Test
  void eachEventReadsTheJobAndNothingElseDoes() throws Exception {
    CompletableFuture<Integer> wait = begin(server.client(), SUCCESS);
    server.event("train", "Attempt", null); // progress
    server.event("other", "Attempt", "RUNNING");
    server.awaitRequests(2, JobWaitingTest::isWait);
    assertThat(server.requests(JobWaitingTest::isRead)).hasSize(1);
    server.job("train", "RUNNING");
    server.awaitRequests(2, JobWaitingTest::isRead);
    server.job("train", "SUCCEEDED");
    assertThat(code(wait)).isZero();
    assertThat(server.requests(JobWaitingTest::isRead)).hasSizeBetween(2, 3);
  }

  @Test
  void theTimeLimitEndsTheWait() throws Exception {
    Instant begun = Instant.now();
    assertThat(await(server.client(), SUCCESS, begun.plusMillis(700))).isEqualTo(124);
    assertThat(Duration.between(begun, Instant.now()))
        .isGreaterThanOrEqualTo(Duration.ofMillis(700));
    server.job("train", "SUCCEEDED");
    assertThat(await(server.client(), SUCCESS, begun)).isZero();
  }

  @Test
  void anotherServerIsFollowedAfterTheFirstHasGone() throws Exception {
    server.announce(data);
    CompletableFuture<Integer> wait =
        begin(new ServerClient(Objects.requireNonNull(ServerAddress.announced(data))), SUCCESS);
    server.restart();
    server.job("train", "SUCCEEDED"); // while nobody watches
    server.announce(data);
    assertThat(code(wait)).isZero();
  }

  @Test
  void aPlaceThatWasDeletedMeanwhileIsReplacedByThatOfTheJob() throws Exception {
    server.announce(data);
    CompletableFuture<Integer> wait =
        begin(new ServerClient(Objects.requireNonNull(ServerAddress.announced(data))), SUCCESS);
    server.restart();
    server.job("train", "RUNNING");
    server.deleteEvents();
    server.announce(data);
    server.awaitRequests(2, JobWaitingTest::isRead);
    server.job("train", "SUCCEEDED");
    assertThat(code(wait)).isZero();
  }

  @Test
  void aServerWithoutEventsIsPolled() throws Exception {
    server.withoutEvents();
    CompletableFuture<Integer> wait = begin(server.client(), SUCCESS);
    server.job("train", "SUCCEEDED");
    assertThat(code(wait)).isZero();
  }

  @Test
  void whatIsNotThereIsNotWaitedFor() {
    ServerClient client = server.client();
    JobWaiting waiting = new JobWaiting(client, Terminal.standard());
    assertThatThrownBy(() -> waiting.await("nobody", SUCCESS, null))
        .isInstanceOf(RefusedException.class);
    server.close();
    assertThatThrownBy(() -> await(client, SUCCESS, null)).isInstanceOf(UnreachableException.class);
  }

  @Test
  void statesAndTimesAreParsed() {
    assertThat(WaitCommand.states("state=running,FAILED")).containsExactly("RUNNING", "FAILED");
    assertThat(WaitTime.parse("90s")).isEqualTo(Duration.ofSeconds(90));
    assertThat(WaitTime.parse("2h")).isEqualTo(Duration.ofHours(2));
    for (String wrong : new String[] {"", "2", "h", "400d", "-1s", "1.5h"}) {
      assertThatThrownBy(() -> WaitTime.parse(wrong))
          .as(wrong)
          .isInstanceOf(WrongUsageException.class)
          .hasMessageContaining("such as 90s");
    }
    for (String wrong : new String[] {"ended", "state=", "state=DONE", "state=RUNNING,"}) {
      assertThatThrownBy(() -> WaitCommand.states(wrong))
          .as(wrong)
          .isInstanceOf(WrongUsageException.class);
    }
  }
}
