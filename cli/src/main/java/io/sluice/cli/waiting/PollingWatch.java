// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.client.UnreachableException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches a job by polling. The pause grows by half after each answer without a change of state,
 * from 0.2 s to 3 s. A server that stops answering is asked again for a minute, because jobs
 * outlive a restart of their server.
 */
final class PollingWatch implements JobWatch {
  private static final Duration PAUSE_MIN = Duration.ofMillis(200);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(3);
  private static final int UNANSWERED_MAX = 20;

  private final Supplier<JsonNode> request;
  private final Sleeper sleeper;
  private Duration pause = PAUSE_MIN;
  private @Nullable JsonNode last;
  private int unanswered;

  /** How to pause; a test does so without delay. */
  interface Sleeper {
    void sleep(Duration pause) throws InterruptedException;
  }

  /**
   * Creates a watch.
   *
   * @param request reads the job
   */
  PollingWatch(Supplier<JsonNode> request, Sleeper sleeper) {
    this.request = request;
    this.sleeper = sleeper;
  }

  @Override
  public JsonNode next(Duration patience) throws InterruptedException {
    JsonNode before = last;
    if (before == null) {
      JsonNode first = request.get();
      last = first;
      return first;
    }
    sleeper.sleep(pause.compareTo(patience) < 0 ? pause : patience);
    JsonNode now = answer(before);
    pause = state(now).equals(state(before)) ? longer(pause) : PAUSE_MIN;
    last = now;
    return now;
  }

  private JsonNode answer(JsonNode before) {
    try {
      JsonNode now = request.get();
      unanswered = 0;
      return now;
    } catch (UnreachableException unreachable) {
      unanswered++;
      if (unanswered > UNANSWERED_MAX) {
        throw unreachable;
      }
      return before;
    }
  }

  private static String state(JsonNode job) {
    return job.path("status").path("state").asText();
  }

  private static Duration longer(Duration pause) {
    Duration longer = pause.plus(pause.dividedBy(2));
    return longer.compareTo(PAUSE_MAX) < 0 ? longer : PAUSE_MAX;
  }
}
