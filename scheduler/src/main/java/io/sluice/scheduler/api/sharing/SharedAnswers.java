// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.api.sharing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.sluice.scheduler.api.Parameters;
import io.sluice.scheduler.api.ProblemException;
import io.sluice.scheduler.loop.CommittedView;
import io.sluice.scheduler.security.Caller;
import io.sluice.scheduler.security.CurrentCaller;
import io.sluice.scheduler.security.NamespaceScope;
import io.sluice.scheduler.security.Right;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;
import org.jspecify.annotations.Nullable;

/**
 * Answers of the last second, for callers that may read the same namespaces. Many open pages ask
 * the same while changes do not cease.
 *
 * <p>A request permits this by the header {@code Sluice-Seen}: the last sequence that its sender
 * was told of. It gets an answer that was made for another caller only if that one began at this
 * sequence or later, so that nobody sees a state older than the one known.
 */
class SharedAnswers {
  private static final String HEADER = "Sluice-Seen";

  private static final String SEQUENCE = "Sluice-Sequence";

  /** Its request waits for a sequence that this server may not have reached. */
  private static final String WAITS = "Sluice-Wait-For";

  private static final Duration KEPT = Duration.ofSeconds(1);
  private static final long CHARACTERS_MAX = 32L << 20;

  /** Before the filters that read parameters: those of a kept answer were in order. */
  private static final int FIRST = 4000;

  /** After the one that selects fields. */
  private static final int LAST = 100;

  private static final MediaType JSON = MediaType.APPLICATION_JSON_TYPE.withCharset("UTF-8");

  private static final String BEGUN = "io.sluice.shared";

  /** What an answer depends on. */
  private record Question(String address, NamespaceScope readable) {}

  /**
   * An answer.
   *
   * @param begun the sequence of the view before it was made
   * @param sequence that it tells of itself; null: it tells none
   */
  private record Answer(long begun, String body, @Nullable Object sequence) {}

  /** A request whose answer is to be kept. */
  private record Begun(Question question, long sequence) {}

  private final CommittedView view;
  private final CurrentCaller caller;
  private final ObjectMapper mapper;
  private final Cache<Question, Answer> answers =
      Caffeine.newBuilder()
          .expireAfterWrite(KEPT)
          .maximumWeight(CHARACTERS_MAX)
          .weigher(
              (Question question, Answer answer) ->
                  question.address().length() + answer.body().length())
          .build();

  SharedAnswers(CommittedView view, CurrentCaller caller, ObjectMapper mapper) {
    this.view = view;
    this.caller = caller;
    this.mapper = mapper;
  }

  /** The kept answer; null: none serves, so the endpoint makes one. */
  @ServerRequestFilter(priority = FIRST)
  @Shared
  public @Nullable Response find(ContainerRequestContext request) {
    Long seen = seen(request.getHeaderString(HEADER));
    Caller asking = caller.find();
    if (seen == null || asking == null || request.getHeaderString(WAITS) != null) {
      return null;
    }
    Question question =
        new Question(request.getUriInfo().getRequestUri().toString(), asking.scope(Right.READ));
    Answer kept = answers.getIfPresent(question);
    if (kept == null || kept.begun() < seen) {
      request.setProperty(BEGUN, new Begun(question, view.sequence()));
      return null;
    }
    return Response.ok(kept.body(), JSON).header(SEQUENCE, kept.sequence()).build();
  }

  private static @Nullable Long seen(@Nullable String text) {
    try {
      return text == null ? null : Long.valueOf(text);
    } catch (NumberFormatException unreadable) {
      throw ProblemException.badRequest(
          HEADER + " must be a sequence, it is " + Parameters.shown(String.valueOf(text)));
    }
  }

  /** Keeps an answer as it is sent. */
  @ServerResponseFilter(priority = LAST)
  @Shared
  public void keep(ContainerRequestContext request, ContainerResponseContext response)
      throws JsonProcessingException {
    if (!(request.getProperty(BEGUN) instanceof Begun begun)
        || response.getStatus() != Response.Status.OK.getStatusCode()) {
      return;
    }
    String body = mapper.writeValueAsString(response.getEntity());
    response.setEntity(body, response.getEntityAnnotations(), JSON); // a text is sent as it is
    Object sequence = response.getHeaders().getFirst(SEQUENCE);
    answers.put(begun.question(), new Answer(begun.sequence(), body, sequence));
  }
}
