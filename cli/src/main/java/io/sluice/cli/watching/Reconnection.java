// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.watching;

import io.sluice.cli.client.ClientException;
import io.sluice.cli.client.RefusedException;
import io.sluice.cli.client.ServerClient;
import io.sluice.cli.client.UnreachableException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Repeats reads while the server does not answer, because jobs outlive a restart of their server
 * and another server may take its place. The pause between two tries grows by half, from 0.2 s to 3
 * s. After {@link #SILENCE_MAX} without an answer it gives up. A server that never answered is not
 * asked again.
 */
public final class Reconnection {
  /** How long the server may stay silent. */
  static final Duration SILENCE_MAX = Duration.ofSeconds(60);

  private static final Duration PAUSE_MIN = Duration.ofMillis(200);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(3);

  private final ServerClient client;
  private final Timing timing;
  private Duration pause = PAUSE_MIN;
  private boolean connected;
  private boolean silent;
  private long silentSinceNanos;

  public Reconnection(ServerClient client) {
    this(client, Timing.SYSTEM);
  }

  /** Creates a reconnection with a time of its own. */
  public Reconnection(ServerClient client, Timing timing) {
    this.client = client;
    this.timing = timing;
  }

  /** Returns the time that pauses and waits are measured in. */
  public Timing timing() {
    return timing;
  }

  /**
   * Reads until there is an answer.
   *
   * @throws UnreachableException as {@link #read(Supplier, Duration)}
   * @throws RefusedException as {@link #read(Supplier, Duration)}
   */
  public <T> T read(Supplier<T> request) throws InterruptedException {
    while (true) {
      Optional<T> answer = read(request, SILENCE_MAX);
      if (answer.isPresent()) {
        return answer.get();
      }
    }
  }

  /**
   * Reads until there is an answer, or patience ends.
   *
   * @return empty: there was no answer in time
   * @throws UnreachableException if the server stays silent, over this and earlier reads
   * @throws RefusedException if the server refuses the request, other than by being unavailable
   */
  public <T> Optional<T> read(Supplier<T> request, Duration patience) throws InterruptedException {
    long begun = timing.nanos();
    while (true) {
      try {
        T answer = request.get();
        answered();
        return Optional.of(answer);
      } catch (UnreachableException unreachable) {
        unanswered(unreachable);
      } catch (RefusedException refused) {
        if (!refused.unavailable()) {
          answered();
          throw refused;
        }
        unanswered(refused);
      }
      Duration left = timing.left(patience, begun);
      if (left.isZero()) {
        return Optional.empty();
      }
      timing.sleep(Timing.shorter(pause, left));
      pause = Timing.shorter(pause.plus(pause.dividedBy(2)), PAUSE_MAX);
      client.relocate();
    }
  }

  private void answered() {
    connected = true;
    silent = false;
    pause = PAUSE_MIN;
  }

  private void unanswered(ClientException failure) {
    if (!connected) {
      throw failure;
    }
    if (!silent) {
      silent = true;
      silentSinceNanos = timing.nanos();
    }
    if (timing.left(SILENCE_MAX, silentSinceNanos).isZero()) {
      throw failure;
    }
  }
}
