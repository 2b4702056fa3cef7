// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.waiting;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.options.LifeState;
import io.sluice.cli.watching.EventFeed;
import io.sluice.cli.watching.Reconnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Copies the output of an attempt until the attempt has ended. The end comes from the events of the
 * journal: the end of a stream may also mean that the server was replaced, or that the processes of
 * one generation have ended.
 *
 * <p>After a lost connection, the copying goes on where it stopped: in the output of one pod by its
 * bytes; in that of several pods, of which the lines have no common order, by the lines of each. A
 * log that is read from a tail is printed again, and standard error says so.
 */
public final class LogFollower {
  /** A stream that is quiet for so long may be one whose server has gone. */
  private static final Duration QUIET_MAX = Duration.ofSeconds(30);

  /** The pause before a lost stream is opened again. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final int CHUNK_BYTES = 64 << 10;
  private static final int ATTEMPTS_MAX = 500;

  private final ServerClient client;
  private final Reconnection reconnection;
  private final Wanted wanted;
  private final PrintStream out;
  private final Duration quietMax;
  private final EventFeed feed;
  private final NamedLines lines;
  private boolean named;
  private long copied;

  /**
   * The log to follow.
   *
   * @param job id of the job
   * @param index of an array, from 0
   * @param attempt from 1; null: the last one, or the first one that is started
   * @param pod null: all pods
   * @param tail number of bytes before the end at which to begin; null: from the beginning
   */
  public record Wanted(
      String job,
      int index,
      @Nullable Integer attempt,
      @Nullable String pod,
      @Nullable Integer tail) {}

  public LogFollower(ServerClient client, Wanted wanted, PrintStream out) {
    this(client, wanted, out, QUIET_MAX);
  }

  /**
   * Creates a follower.
   *
   * @param quietMax after which time without output the attempt is looked at
   */
  LogFollower(ServerClient client, Wanted wanted, PrintStream out, Duration quietMax) {
    this.client = client;
    this.reconnection = new Reconnection(client);
    this.wanted = wanted;
    this.out = out;
    this.quietMax = quietMax;
    this.lines = new NamedLines(out);
    this.feed =
        new EventFeed(client, reconnection, "job=" + wanted.job() + "&kind=Job&kind=Attempt");
  }

  /** Copies to the end; returns without output if the job ends without such an attempt. */
  public void follow() throws InterruptedException {
    Integer given = wanted.attempt();
    int attempt = given == null ? begun() : given;
    boolean more = given != null || attempt > 0;
    while (more) {
      int generation = generation(attempt);
      boolean whole = copy(attempt, skipped());
      if (whole) {
        more = continues(attempt, generation);
      } else {
        reconnection.timing().sleep(PAUSE);
      }
    }
  }

  /** Waits for an attempt; returns its number, or 0 if the job has ended without one. */
  private int begun() throws InterruptedException {
    while (true) {
      feed.fromNow();
      boolean over = !live();
      JsonNode newest = reconnection.read(() -> attempts(1)).path(0);
      if (newest.has("attempt") || over) {
        return newest.path("attempt").asInt();
      }
      feed.next(WAIT);
    }
  }

  private boolean live() throws InterruptedException {
    JsonNode job = reconnection.read(() -> client.get("/v1/jobs/" + wanted.job()));
    return LifeState.live(job.path("status").path("state").asText());
  }

  private JsonNode attempts(int most) {
    return client
        .get("/v1/jobs/%s/attempts?index=%d&limit=%d".formatted(wanted.job(), wanted.index(), most))
        .path("items");
  }

  /** Waits for the end of the attempt; returns whether it has another generation than before. */
  private boolean continues(int attempt, int generation) throws InterruptedException {
    while (true) {
      JsonNode now = attempt(attempt);
      if (generation(now) != generation) {
        return true;
      }
      if (ended(now)) {
        return false;
      }
      feed.fromNow();
      // It may have ended before that place.
      if (!ended(attempt(attempt))) {
        feed.next(WAIT);
      }
    }
  }

  private int generation(int attempt) throws InterruptedException {
    return generation(attempt(attempt));
  }

  private static int generation(JsonNode attempt) {
    return attempt.path("generation").asInt();
  }

  /** Whether the attempt has ended; one that is older than the newest of its index has. */
  private static boolean ended(JsonNode attempt) {
    return attempt.path("state").asText("ENDED").equals("ENDED");
  }

  /** Reads the attempt; a missing node if it is not among the newest ones of its index. */
  private JsonNode attempt(int attempt) throws InterruptedException {
    for (JsonNode one : reconnection.read(() -> attempts(ATTEMPTS_MAX))) {
      if (one.path("attempt").asInt() == attempt) {
        return one;
      }
    }
    return MissingNode.getInstance();
  }

  /**
   * Copies the log, following it.
   *
   * @param skip the number of bytes not to print
   * @return whether the server ended the stream; false: the connection was lost
   */
  private boolean copy(int attempt, long skip) throws InterruptedException {
    try (InputStream log = reconnection.read(() -> client.stream(path(attempt), quietMax))) {
      return copy(log, attempt, skip);
    } catch (IOException lost) {
      return false;
    } finally {
      out.flush();
    }
  }

  private boolean copy(InputStream log, int attempt, long skip)
      throws IOException, InterruptedException {
    byte[] chunk = new byte[CHUNK_BYTES];
    long left = skip;
    boolean first = true;
    while (true) {
      int read;
      try {
        read = log.read(chunk);
      } catch (SocketTimeoutException quiet) {
        if (ended(attempt(attempt))) {
          return false; // what is left of the output is in the next stream
        }
        continue;
      }
      if (read < 0) {
        return true;
      }
      if (first && read > 0) {
        first = false;
        begin(chunk[0] == '[');
        left = named ? 0 : left;
      }
      if (named) {
        lines.write(chunk, read);
        out.flush();
        continue;
      }
      int from = (int) Math.min(left, read);
      left -= from;
      out.write(chunk, from, read - from);
      out.flush();
      copied += read - from;
    }
  }

  private String path(int attempt) {
    Integer tail = wanted.tail();
    Map<String, @Nullable String> parameters = new LinkedHashMap<>();
    parameters.put("index", Integer.toString(wanted.index()));
    parameters.put("attempt", Integer.toString(attempt));
    parameters.put("pod", wanted.pod());
    parameters.put("tail", tail == null ? null : tail.toString());
    parameters.put("follow", "true");
    return ServerClient.query("/v1/jobs/" + wanted.job() + "/logs", parameters);
  }

  /**
   * Begins a stream.
   *
   * @param severalPods whether its lines begin with the names of their pods
   */
  private void begin(boolean severalPods) {
    if (severalPods != named && printed()) {
      anew(); // there was one pod before, or there is one now
    }
    named = severalPods;
    lines.restart();
  }

  /** Returns how much of the next stream was printed. */
  private long skipped() {
    if (printed() && wanted.tail() != null) {
      anew(); // a tail begins elsewhere each time
    }
    return copied;
  }

  private boolean printed() {
    return copied > 0 || lines.begun();
  }

  private void anew() {
    System.err.println("sluice: the log is read again, and begins anew");
    copied = 0;
    lines.forget();
  }
}
