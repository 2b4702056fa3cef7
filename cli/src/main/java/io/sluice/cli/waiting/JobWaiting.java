// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.ExitCode;
import io.sluice.cli.options.LifeState;
import io.sluice.cli.output.Age;
import io.sluice.cli.output.Terminal;
import io.sluice.cli.watching.Reconnection;
import io.sluice.cli.watching.Timing;
import io.sluice.cli.watching.WatchedObject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Waits until jobs are in one of some states, with a status line on an interactive terminal. */
public final class JobWaiting {
  private static final String RUNNING = "RUNNING";
  private static final String SUCCEEDED = "SUCCEEDED";

  /** The oldest reason that is shown: what a job waits for changes without an event of the job. */
  private static final Duration REASON_MAX = Duration.ofSeconds(10);

  /** The states of a job that succeeded. */
  public static final Set<String> SUCCESS = Set.of(SUCCEEDED);

  private final Function<String, JobWatch> watches;
  private final Terminal terminal;
  private final Clock clock;

  public JobWaiting(ServerClient client, Terminal terminal) {
    this(watches(client, new Reconnection(client)), terminal, Clock.systemUTC());
  }

  private static Function<String, JobWatch> watches(
      ServerClient client, Reconnection reconnection) {
    return id -> WatchedObject.job(client, reconnection, id)::next;
  }

  /**
   * Creates a wait.
   *
   * @param watches starts to watch the job of an id
   */
  JobWaiting(Function<String, JobWatch> watches, Terminal terminal, Clock clock) {
    this.watches = watches;
    this.terminal = terminal;
    this.clock = clock;
  }

  /**
   * Waits for one job, and prints its state at the end of the wait.
   *
   * @param states any of them ends the wait; a job that succeeded counts as having been running
   * @param deadline null: without a time limit
   * @return 0 if the job is in one of the states, 1 if it ended in another one, 124 at the deadline
   */
  public int await(String id, Set<String> states, @Nullable Instant deadline)
      throws InterruptedException {
    JsonNode job;
    try (StatusLine status = new StatusLine(terminal)) {
      job = last(watches.apply(id), states, deadline, status);
    }
    String state = state(job);
    if (ends(state, states)) {
      terminal.print(words(job));
      return reached(state, states) ? ExitCode.OK : ExitCode.FAILED;
    }
    System.err.println("sluice: time limit reached: " + words(job));
    return ExitCode.TIMED_OUT;
  }

  /** Returns the job that ends the wait, or the one at the deadline. */
  private JsonNode last(
      JobWatch watch, Set<String> states, @Nullable Instant deadline, StatusLine status)
      throws InterruptedException {
    Instant begun = clock.instant();
    while (true) {
      JsonNode job = watch.next(patience(deadline));
      boolean late = deadline != null && !clock.instant().isBefore(deadline);
      if (late || ends(state(job), states)) {
        return job;
      }
      status.show(() -> line(job, begun, clock.instant()));
    }
  }

  private static String state(JsonNode job) {
    return job.path("status").path("state").asText();
  }

  private static boolean ends(String state, Set<String> states) {
    return reached(state, states) || !LifeState.live(state);
  }

  /** Returns how long the last answer may be shown, at most to the deadline. */
  private Duration patience(@Nullable Instant deadline) {
    Duration longest = terminal.interactive() ? REASON_MAX : Duration.ofDays(1);
    if (deadline == null) {
      return longest;
    }
    Duration left = Duration.between(clock.instant(), deadline);
    return left.isNegative() ? Duration.ZERO : Timing.shorter(left, longest);
  }

  private static boolean reached(String state, Set<String> states) {
    return states.contains(state) || (state.equals(SUCCEEDED) && states.contains(RUNNING));
  }

  private static String words(JsonNode job) {
    String reason = job.path("status").path("reason").asText("");
    return "job/%s %s%s"
        .formatted(
            job.path("metadata").path("name").asText(),
            job.path("status").path("state").asText(),
            reason.isEmpty() ? "" : ": " + reason);
  }

  /** Formats the status line: the state, the time of the wait, ended indices, the reason. */
  private static String line(JsonNode job, Instant begun, Instant now) {
    JsonNode status = job.path("status");
    JsonNode indices = status.path("indices");
    String ended =
        indices.isObject()
            ? ", %s of %s indices ended"
                .formatted(indices.path("ended").asText(), indices.path("count").asText())
            : "";
    String reason = status.path("reason").asText("");
    return "job/%s %s, waiting for %s%s%s"
        .formatted(
            job.path("metadata").path("name").asText(),
            status.path("state").asText(),
            Age.of(begun.toString(), now),
            ended,
            reason.isEmpty() ? "" : ": " + reason);
  }
}
