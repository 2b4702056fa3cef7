// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.client.ServerAddress;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.client.UnreachableException;
import io.sluice.cli.options.WrongUsageException;
import io.sluice.cli.output.Terminal;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Waiting for states, with a clock that moves only by the pauses. */
class JobWaitingTest {
  private static final Instant START = Instant.parse("2026-11-22T12:00:00Z");

  private final List<Duration> pauses = new ArrayList<>();
  private Instant now = START;

  private final Clock clock =
      new Clock() {
        @Override
        public ZoneOffset getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return now;
        }
      };

  private void pause(Duration pause) {
    pauses.add(pause);
    now = now.plus(pause);
  }

  private static JsonNode job(String state) {
    ObjectNode job = JsonNodeFactory.instance.objectNode();
    job.putObject("metadata").put("name", "train");
    job.putObject("status").put("state", state).put("reason", "because");
    return job;
  }

  /** Answers one state after another; the last one stays. */
  private static Supplier<JsonNode> states(String... states) {
    Deque<String> left = new ArrayDeque<>(List.of(states));
    return () -> job(left.size() > 1 ? left.removeFirst() : left.getFirst());
  }

  private int await(Supplier<JsonNode> request, Set<String> states, @Nullable Instant deadline)
      throws InterruptedException {
    PollingWatch watch = new PollingWatch(request, this::pause);
    return new JobWaiting(id -> watch, Terminal.standard(), clock).await("x", states, deadline);
  }

  @Test
  void theCodeSaysHowTheWaitEnded() throws Exception {
    Set<String> success = JobWaiting.SUCCESS;
    assertThat(await(states("PENDING", "RUNNING", "SUCCEEDED"), success, null)).isZero();
    assertThat(await(states("PENDING", "FAILED"), success, null)).isEqualTo(1);
    assertThat(await(states("PENDING", "RUNNING"), Set.of("RUNNING"), null)).isZero();
    assertThat(await(states("PENDING", "SUCCEEDED"), Set.of("RUNNING"), null)).isZero();
    assertThat(await(states("FAILED"), Set.of("FAILED", "CANCELLED"), null)).isZero();
  }

  @Test
  void theTimeLimitIsKeptToTheSecond() throws Exception {
    Instant deadline = START.plusSeconds(10);
    assertThat(await(states("PENDING"), JobWaiting.SUCCESS, deadline)).isEqualTo(124);
    assertThat(now).isEqualTo(deadline);
    assertThat(await(states("SUCCEEDED"), JobWaiting.SUCCESS, START)).isZero();
  }

  @Test
  void pausesGrowUntilTheStateChanges() throws Exception {
    await(
        states("PENDING", "PENDING", "PENDING", "RUNNING", "RUNNING", "SUCCEEDED"),
        JobWaiting.SUCCESS,
        null);
    assertThat(pauses.stream().map(Duration::toMillis))
        .containsExactly(200L, 300L, 450L, 200L, 300L);
    pauses.clear();
    await(states("PENDING"), JobWaiting.SUCCESS, now.plusSeconds(60));
    assertThat(pauses).allMatch(pause -> pause.compareTo(Duration.ofSeconds(3)) <= 0);
    assertThat(pauses).hasSizeLessThan(35);
  }

  @Test
  void aServerThatRestartsIsAskedAgainAndOneThatStaysAwayIsNot() throws Exception {
    ServerClient nobody =
        new ServerClient(new ServerAddress(URI.create("http://127.0.0.1:1"), null));
    Supplier<JsonNode> then = states("RUNNING", "SUCCEEDED");
    int[] requests = {0};
    assertThat(
            await(
                () -> ++requests[0] % 2 == 0 ? nobody.get("/v1/jobs/x") : then.get(),
                JobWaiting.SUCCESS,
                null))
        .isZero();
    requests[0] = 0;
    assertThatThrownBy(
            () ->
                await(
                    () -> requests[0]++ == 0 ? job("RUNNING") : nobody.get("/v1/jobs/x"),
                    JobWaiting.SUCCESS,
                    null))
        .isInstanceOf(UnreachableException.class);
  }

  @Test
  void statesAndTimesAreParsed() {
    assertThat(WaitCommand.states("state=running,FAILED")).containsExactly("RUNNING", "FAILED");
    assertThat(WaitCommand.time("90s")).isEqualTo(Duration.ofSeconds(90));
    assertThat(WaitCommand.time("2h")).isEqualTo(Duration.ofHours(2));
    for (String wrong : new String[] {"", "2", "h", "400d", "-1s", "1.5h"}) {
      assertThatThrownBy(() -> WaitCommand.time(wrong))
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
