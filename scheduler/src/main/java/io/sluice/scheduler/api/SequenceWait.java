// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api;

import io.sluice.scheduler.loop.CommittedView;
import jakarta.ws.rs.container.ContainerRequestContext;
import java.time.Duration;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jspecify.annotations.Nullable;

/**
 * Delays a request until this server's view includes a sequence that the caller has seen elsewhere,
 * by the header {@code Sluice-Wait-For}. Its endpoints are blocking ones.
 */
class SequenceWait {
  private static final String HEADER = "Sluice-Wait-For";
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final CommittedView view;

  SequenceWait(CommittedView view) {
    this.view = view;
  }

  /** Refuses a malformed sequence, and one that does not arrive in time. */
  @ServerRequestFilter
  @FromView
  public void waitFor(ContainerRequestContext request) throws InterruptedException {
    String text = request.getHeaderString(HEADER);
    if (text != null && !view.await(sequence(text), LONGEST)) {
      throw new ProblemException(
          ProblemKind.NOT_THERE_YET,
          "this server is at sequence %d, %s was asked for".formatted(view.sequence(), text));
    }
  }

  private static long sequence(@Nullable String text) {
    try {
      return Long.parseLong(String.valueOf(text));
    } catch (NumberFormatException unreadable) {
      throw ProblemException.badRequest(HEADER + " must be a sequence, it is " + text);
    }
  }
}
