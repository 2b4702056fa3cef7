// SPDX-License-Identifier: Apache-2.0
package io.sluice.scheduler.postgres;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Restarts an embedded server that ends by itself, for example killed by the kernel for its memory.
 * The pause doubles with each consecutive restart, from {@link #PAUSE} to {@link #PAUSE_MAX}; a
 * server that runs for {@link #STEADY} resets the count. After {@link #RESTARTS_MAX} consecutive
 * restarts it gives up.
 */
public final class PostgresSupervision implements AutoCloseable {
  /** Maximum number of consecutive restarts, about four minutes in all. */
  static final int RESTARTS_MAX = 12;

  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(30);
  private static final Duration STEADY = Duration.ofMinutes(5);

  private final EmbeddedPostgres postgres;
  private final Consumer<String> whenGivenUp;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "postgres-supervision");
  private int restarts;
  private long startedNanos = System.nanoTime();

  private PostgresSupervision(EmbeddedPostgres postgres, Consumer<String> whenGivenUp) {
    this.postgres = postgres;
    this.whenGivenUp = whenGivenUp;
    this.thread.setDaemon(true);
  }

  /**
   * Starts to watch a running server.
   *
   * @param whenGivenUp told the reason if the server does not stay up
   */
  public static PostgresSupervision of(EmbeddedPostgres postgres, Consumer<String> whenGivenUp) {
    PostgresSupervision supervision = new PostgresSupervision(postgres, whenGivenUp);
    supervision.thread.start();
    return supervision;
  }

  private void run() {
    String reason = "it ended";
    try {
      while (!closed.await(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
        if (postgres.isRunning()) {
          continue;
        }
        if (System.nanoTime() - startedNanos > STEADY.toNanos()) {
          restarts = 0;
        }
        if (restarts == RESTARTS_MAX) {
          whenGivenUp.accept(
              "PostgreSQL does not stay up: %d restarts failed, the last: %s"
                  .formatted(restarts, reason));
          return;
        }
        if (closed.await(pause().toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
        reason = restart();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Restarts the server.
   *
   * @return the reason why it does not run, or may end again
   */
  private String restart() {
    restarts++;
    log().log(ERROR, "PostgreSQL has ended and is restarted, time {0} in a row", restarts);
    try {
      postgres.restart();
      startedNanos = System.nanoTime();
      return "it ended again";
    } catch (PostgresStartException failure) {
      log().log(WARNING, String.valueOf(failure.getMessage()));
      return String.valueOf(failure.getMessage());
    }
  }

  private Duration pause() {
    Duration doubled = PAUSE.multipliedBy(1L << Math.min(restarts, RESTARTS_MAX));
    return doubled.compareTo(PAUSE_MAX) < 0 ? doubled : PAUSE_MAX;
  }

  private static System.Logger log() {
    return System.getLogger(PostgresSupervision.class.getName());
  }

  /** Ends the watch; a restart in progress is completed. */
  @Override
  public void close() {
    closed.countDown();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
